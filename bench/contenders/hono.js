import { Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { rateLimiter } from 'hono-rate-limiter';
import { DAY_MS, ERRORS, openAnimals, pageOf, readListQuery, readNewPet } from './animals.js';

const { accountOf, getPet, listPets, createPet } = await openAnimals(process.env.DATABASE_FILE);

const app = new Hono();

app.use(
  bearerAuth({
    verifyToken: (secret, context) => {
      const account = accountOf(secret);
      context.set('account', account);
      return account !== undefined;
    },
    noAuthenticationHeader: { message: ERRORS.invalidApiKey },
    invalidAuthenticationHeader: { message: ERRORS.invalidApiKey },
    invalidToken: { message: ERRORS.invalidApiKey },
  }),
);

// The limiter writes headers of a later draft only; these three come from what it counted.
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

app.get('/v1/pets', (context) => {
  const query = readListQuery(context.req.query());
  if (query === undefined) return context.json(ERRORS.invalidParameter, 400);
  const { pets, link } = pageOf(query, listPets);
  if (link !== undefined) context.header('Link', link);
  return context.json(pets);
});

app.get('/v1/pets/:id', (context) => {
  const pet = getPet(Number(context.req.param('id')));
  if (pet === undefined) return context.json(ERRORS.petNotFound, 404);
  return context.json(pet);
});

app.post('/v1/pets', async (context) => {
  const newPet = readNewPet(await context.req.json());
  if (newPet === undefined) return context.json(ERRORS.validationFailed, 400);
  const pet = createPet(newPet);
  context.header('Location', `/v1/pets/${pet.id}`);
  return context.json(pet, 201);
});

const hostname = '127.0.0.1';
const port = Number(process.env.PORT);
if (process.versions.bun === undefined) {
  const { serve } = await import('@hono/node-server');
  serve({ fetch: app.fetch, hostname, port });
} else {
  Bun.serve({ fetch: app.fetch, hostname, port });
}
