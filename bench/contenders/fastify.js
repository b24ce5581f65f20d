import { openAnimals, pageOf } from './animals.js';
import { startFastify } from './fastify-app.js';

const { accountOf, getPet, listPets, createPet } = await openAnimals(process.env.DATABASE_FILE);
await startFastify({
  accountOf,
  getPet,
  listPage: (query) => pageOf(query, listPets),
  createPet,
});
