import { writeFileSync } from 'node:fs';
import { rateLimit } from 'express-rate-limit';
import jsonServer from 'json-server';
import { DAY_MS, ERRORS, openAnimals, secretOf } from './animals.js';

/** The animals in a file of JSON, with access control as its README shows. */
const { accountOf, listPets } = await openAnimals(process.env.DATABASE_FILE);
const file = `${process.env.DATABASE_FILE}.json`;
writeFileSync(file, JSON.stringify({ pets: listPets({ after: 0, limit: -1 }) }));

const server = jsonServer.create();
server.use(jsonServer.defaults({ logger: false }));

server.use((request, response, next) => {
  const account = accountOf(secretOf(request.headers.authorization));
  if (account === undefined) return response.status(401).json(ERRORS.invalidApiKey);
  response.locals.account = account;
  return next();
});

server.use(
  rateLimit({
    windowMs: DAY_MS,
    limit: (_request, response) => response.locals.account.perDay,
    keyGenerator: (_request, response) => response.locals.account.id,
    legacyHeaders: true,
    standardHeaders: false,
    message: ERRORS.rateLimitDay,
  }),
);

/** It has names of its own for the parameters of a page. */
server.use((request, _response, next) => {
  const { limit, after, ...others } = request.query;
  request.query = {
    ...others,
    ...(limit !== undefined && { _limit: limit }),
    ...(after !== undefined && { id_gte: String(Number(after) + 1) }),
  };
  next();
});

server.use(jsonServer.bodyParser);
server.use('/v1', jsonServer.router(file));
server.listen(Number(process.env.PORT), '127.0.0.1');
