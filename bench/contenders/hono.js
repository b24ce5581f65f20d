import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { countRequest, ERRORS, operationsOf } from './pets.js';
import { openStore } from './store.js';

const store = await openStore();
const { listPets, getPet, createPet } = operationsOf(store);
const refusal = { message: ERRORS.invalidApiKey };
const app = new Hono();

app.use(
  bearerAuth({
    verifyToken: (key, context) => {
      const account = store.accountOf(key);
      context.set('account', account);
      return account !== undefined;
    },
    noAuthenticationHeader: refusal,
    invalidAuthenticationHeader: refusal,
    invalidToken: refusal,
  }),
);
app.use((context, next) => {
  const { isAllowed, limits } = countRequest(context.get('account'));
  for (const [name, value] of limits) context.header(name, value);
  return isAllowed ? next() : context.json(ERRORS.rateLimitDay, 429);
});

async function respond(context, operation) {
  const { status, headers, body } = await operation;
  return context.json(body, status, headers);
}
app.get('/v1/pets', (context) => respond(context, listPets(context.req.query())));
app.get('/v1/pets/:id', (context) => respond(context, getPet(context.req.param('id'))));
app.post('/v1/pets', async (context) => respond(context, createPet(await context.req.json())));

const options = { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) };
if (process.versions.bun === undefined) (await import('@hono/node-server')).serve(options);
else Bun.serve(options);
