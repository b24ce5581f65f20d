import bearerAuth from '@fastify/bearer-auth';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { ERRORS, STATUSES, toPage } from './pets.js';

const pet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    categoryId: { type: 'integer' },
    status: { type: 'string', enum: STATUSES, default: 'available' },
  },
};
const listQuery = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    status: { enum: STATUSES },
    after: { type: 'integer', default: 0 },
  },
};
const schemas = {
  getPet: { response: { 200: pet } },
  listPets: { querystring: listQuery, response: { 200: { type: 'array', items: pet } } },
  createPet: { body: pet, response: { 201: pet } },
};

/** As its documentation recommends: schemas both ways, plugins for keys and limits, no logger. */
export async function startFastify({ accountOf, find, list, insert, redis }) {
  const app = Fastify({ logger: false });
  app.decorateRequest('account', undefined);
  app.setErrorHandler((error, _request, reply) => {
    if (error.validation === undefined) return reply.send(error);
    const isBody = error.validationContext === 'body';
    return reply.code(400).send(isBody ? ERRORS.validationFailed : ERRORS.invalidParameter);
  });

  await app.register(bearerAuth, {
    keys: [],
    auth: (key, request) => {
      request.account = accountOf(key);
      return request.account !== undefined;
    },
    errorResponse: () => ERRORS.invalidApiKey,
    verifyErrorLogLevel: false,
  });
  const { message, code } = ERRORS.rateLimitDay;
  await app.register(rateLimit, {
    timeWindow: '1 day',
    max: (request) => request.account.perDay,
    keyGenerator: (request) => request.account.id,
    errorResponseBuilder: () => Object.assign(new Error(message), { statusCode: 429, code }),
    ...(redis && { redis }),
  });

  app.get('/v1/pets/:id', { schema: schemas.getPet }, async (request, reply) => {
    const found = await find(Number(request.params.id));
    return found ?? reply.code(404).send(ERRORS.petNotFound);
  });
  app.get('/v1/pets', { schema: schemas.listPets }, async ({ query }, reply) => {
    const { pets, headers } = toPage(query, await list({ ...query, limit: query.limit + 1 }));
    reply.headers(headers);
    return pets;
  });
  app.post('/v1/pets', { schema: schemas.createPet }, async (request, reply) => {
    const created = await insert(request.body);
    return reply.code(201).header('location', `/v1/pets/${created.id}`).send(created);
  });
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
