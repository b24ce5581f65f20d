import { startFastify } from './fastify-app.js';
import { openStore } from './pets.js';

await startFastify(await openStore());
