import express from 'express';
import { ERRORS, openAnimals, pageOf, readListQuery, readNewPet } from './animals.js';
import { guard } from './express-guard.js';

const { accountOf, getPet, listPets, createPet } = await openAnimals(process.env.DATABASE_FILE);

const app = express();
app.disable('x-powered-by');

guard(app, accountOf);
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
