import bearerAuth from '@fastify/bearer-auth';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { ERRORS, operationsOf } from './pets.js';

const [integer, string] = [{ type: 'integer' }, { type: 'string' }];
const pet = {
  type: 'object',
  properties: { id: integer, name: string, categoryId: integer, status: string },
};

/** Fastify as its documentation recommends: response schemas, plugins for keys and limits, and no logger. */
export async function startFastify(store, redis) {
  const { listPets, getPet, createPet } = operationsOf(store);
  const app = Fastify({ logger: false });
  app.decorateRequest('account', undefined);

  await app.register(bearerAuth, {
    keys: [],
    auth: (key, request) => {
      request.account = store.accountOf(key);
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

  const respond = async (reply, operation) => {
    const { status, headers, body } = await operation;
    return reply.code(status).headers(headers).send(body);
  };
  const sends = (status, schema) => ({ schema: { response: { [status]: schema } } });
  const pets = { type: 'array', items: pet };
  app.get('/v1/pets', sends(200, pets), ({ query }, reply) => respond(reply, listPets(query)));
  app.get('/v1/pets/:id', sends(200, pet), ({ params }, reply) =>
    respond(reply, getPet(params.id)),
  );
  app.post('/v1/pets', sends(201, pet), ({ body }, reply) => respond(reply, createPet(body)));
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
