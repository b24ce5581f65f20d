import express from 'express';
import { guard } from './express-guard.js';
import { operationsOf } from './pets.js';
import { openStore } from './store.js';

const store = await openStore();
const { listPets, getPet, createPet } = operationsOf(store);

async function respond(response, operation) {
  const { status, headers, body } = await operation;
  response.status(status).set(headers).json(body);
}

const app = express();
app.disable('x-powered-by');
guard(app, store.accountOf);
app.use(express.json());
app.get('/v1/pets', (request, response) => respond(response, listPets(request.query)));
app.get('/v1/pets/:id', (request, response) => respond(response, getPet(request.params.id)));
app.post('/v1/pets', (request, response) => respond(response, createPet(request.body)));
app.listen(Number(process.env.PORT), '127.0.0.1');
