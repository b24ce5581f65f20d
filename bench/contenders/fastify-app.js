import bearerAuth from '@fastify/bearer-auth';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { ERRORS, STATUSES } from './animals.js';

const newPet = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 255, pattern: '\\S' },
    categoryId: { type: 'integer' },
    status: { enum: STATUSES, default: 'available' },
  },
};
const pet = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    categoryId: { type: 'integer' },
    status: { type: 'string' },
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

/** As its documentation advises: schemas in and out, plugins for keys and limits, no logger. */
export async function startFastify({ accountOf, getPet, listPage, createPet, redis }) {
  const app = Fastify({ logger: false });
  app.decorateRequest('account', undefined);
  app.setErrorHandler((error, _request, reply) => {
    if (error.validation === undefined) return reply.send(error);
    const body =
      error.validationContext === 'body' ? ERRORS.validationFailed : ERRORS.invalidParameter;
    return reply.code(400).send(body);
  });

  await app.register(bearerAuth, {
    keys: [],
    auth: (secret, request) => {
      request.account = accountOf(secret);
      return request.account !== undefined;
    },
    errorResponse: () => ERRORS.invalidApiKey,
    verifyErrorLogLevel: false,
  });
  await app.register(rateLimit, {
    timeWindow: '1 day',
    max: (request) => request.account.perDay,
    keyGenerator: (request) => request.account.id,
    errorResponseBuilder: () =>
      Object.assign(new Error(ERRORS.rateLimitDay.message), {
        statusCode: 429,
        code: ERRORS.rateLimitDay.code,
      }),
    ...(redis && { redis }),
  });

  app.get('/v1/pets/:id', { schema: { response: { 200: pet } } }, async (request, reply) => {
    const found = await getPet(Number(request.params.id));
    if (found !== undefined) return found;
    return reply.code(404).send(ERRORS.petNotFound);
  });

  app.get(
    '/v1/pets',
    { schema: { querystring: listQuery, response: { 200: { type: 'array', items: pet } } } },
    async (request, reply) => {
      const { pets, link } = await listPage(request.query);
      if (link !== undefined) reply.header('link', link);
      return pets;
    },
  );

  app.post(
    '/v1/pets',
    { schema: { body: newPet, response: { 201: pet } } },
    async (request, reply) => {
      const created = await createPet(request.body);
      return reply.code(201).header('location', `/v1/pets/${created.id}`).send(created);
    },
  );

  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
