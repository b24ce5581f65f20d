import { writeFileSync } from 'node:fs';
import jsonServer from 'json-server';
import { guard } from './express-guard.js';
import { openStore } from './store.js';

/** The pets in a JSON file, with access control as its README shows. */
const { accountOf, list } = await openStore();
const file = `${process.env.DATABASE_FILE}.json`;
writeFileSync(file, JSON.stringify({ pets: list({ after: 0, limit: -1 }) }));

const server = jsonServer.create();
server.use(jsonServer.defaults({ logger: false }));
guard(server, accountOf);

/** json-server has other names for the parameters of a page. */
server.use((request, _response, next) => {
  const { limit = '20', after = '0', ...others } = request.query;
  request.query = { ...others, _limit: limit, id_gte: String(Number(after) + 1) };
  next();
});

server.use(jsonServer.bodyParser);
server.use('/v1', jsonServer.router(file));
server.listen(Number(process.env.PORT), '127.0.0.1');
