import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { rateLimiter } from 'hono-rate-limiter';
import { DAY_MS, ERRORS, openStore, operationsOf } from './pets.js';

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

// The limiter only writes the headers of a later draft, so these three are set here.
app.use(async (context, next) => {
  await next();
  const { limit, remaining, resetTime } = context.get('rateLimit');
  context.header('X-RateLimit-Limit', String(limit));
  context.header('X-RateLimit-Remaining', String(remaining));
  context.header('X-RateLimit-Reset', String(Math.ceil(resetTime.getTime() / 1000)));
});
app.use(
  rateLimiter({
    windowMs: DAY_MS,
    limit: (context) => context.get('account').perDay,
    keyGenerator: (context) => context.get('account').id,
    standardHeaders: false,
    message: ERRORS.rateLimitDay,
  }),
);

function respond(context, { status, headers, body }) {
  return context.json(body, status, headers);
}
app.get('/v1/pets', (context) => respond(context, listPets(context.req.query())));
app.get('/v1/pets/:id', (context) => respond(context, getPet(context.req.param('id'))));
app.post('/v1/pets', async (context) => respond(context, createPet(await context.req.json())));

const options = { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) };
if (process.versions.bun === undefined) (await import('@hono/node-server')).serve(options);
else Bun.serve(options);
