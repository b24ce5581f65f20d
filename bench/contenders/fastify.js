import { startFastify } from './fastify-app.js';
import { openStore } from './store.js';

await startFastify(await openStore());
