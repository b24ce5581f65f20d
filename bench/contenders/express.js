import express from 'express';
import { rateLimit } from 'express-rate-limit';
import {
  DAY_MS,
  ERRORS,
  openAnimals,
  pageOf,
  readListQuery,
  readNewPet,
  secretOf,
} from './animals.js';

const { accountOf, getPet, listPets, createPet } = await openAnimals(process.env.DATABASE_FILE);

const app = express();
app.disable('x-powered-by');

app.use((request, response, next) => {
  const account = accountOf(secretOf(request.headers.authorization));
  if (account === undefined) return response.status(401).json(ERRORS.invalidApiKey);
  response.locals.account = account;
  return next();
});

app.use(
  rateLimit({
    windowMs: DAY_MS,
    limit: (_request, response) => response.locals.account.perDay,
    keyGenerator: (_request, response) => response.locals.account.id,
    legacyHeaders: true,
    standardHeaders: false,
    message: ERRORS.rateLimitDay,
  }),
);

app.use(express.json());

app.get('/v1/pets', (request, response) => {
  const query = readListQuery(request.query);
  if (query === undefined) return response.status(400).json(ERRORS.invalidParameter);
  const { pets, link } = pageOf(query, listPets);
  if (link !== undefined) response.set('Link', link);
  return response.json(pets);
});

app.get('/v1/pets/:id', (request, response) => {
  const pet = getPet(Number(request.params.id));
  if (pet === undefined) return response.status(404).json(ERRORS.petNotFound);
  return response.json(pet);
});

app.post('/v1/pets', (request, response) => {
  const newPet = readNewPet(request.body);
  if (newPet === undefined) return response.status(400).json(ERRORS.validationFailed);
  const pet = createPet(newPet);
  return response.status(201).location(`/v1/pets/${pet.id}`).json(pet);
});

app.listen(Number(process.env.PORT), '127.0.0.1');
