import 'reflect-metadata';
import * as nest from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { DAY_MS, ERRORS, keyFrom, openStore, operationsOf } from './pets.js';

const store = await openStore();
const { listPets, getPet, createPet } = operationsOf(store);

function refuse(error) {
  throw new nest.HttpException(error, error.status);
}

class ApiKeyGuard {
  canActivate(context) {
    const request = context.switchToHttp().getRequest();
    request.account = store.accountOf(keyFrom(request.headers.authorization));
    return request.account !== undefined || refuse(ERRORS.invalidApiKey);
  }
}

/** The default storage walks through all requests of the window at each new one. */
class CountingStorage {
  #windows = new Map();

  async increment(key, ttl, limit) {
    const now = Date.now();
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { hits: 0, endsAt: now + ttl };
      this.#windows.set(key, window);
    }
    window.hits++;
    const timeToExpire = Math.ceil((window.endsAt - now) / 1000);
    const isBlocked = window.hits > limit;
    return { totalHits: window.hits, timeToExpire, isBlocked, timeToBlockExpire: timeToExpire };
  }
}

class AccountThrottlerGuard extends ThrottlerGuard {
  async getTracker(request) {
    return request.account.id;
  }

  /** One count for all operations of an account. The default has one for each operation. */
  generateKey(_context, tracker) {
    return tracker;
  }

  async throwThrottlingException() {
    refuse(ERRORS.rateLimitDay);
  }
}

function respond(reply, { status, headers, body }) {
  if (status >= 400) refuse(body);
  reply.headers(headers);
  return body;
}

class PetsController {
  list(query, reply) {
    return respond(reply, listPets(query));
  }

  get(id, reply) {
    return respond(reply, getPet(id));
  }

  create(body, reply) {
    return respond(reply, createPet(body));
  }
}

class AppModule {}

/** Applies decorators the way compiled TypeScript does. */
function decorate(decorator, method, parameter) {
  const { prototype } = PetsController;
  parameter(prototype, method, 0);
  nest.Res({ passthrough: true })(prototype, method, 1);
  decorator(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}

nest.Injectable()(ApiKeyGuard);
nest.Injectable()(AccountThrottlerGuard);
decorate(nest.Get(), 'list', nest.Query());
decorate(nest.Get(':id'), 'get', nest.Param('id'));
decorate(nest.Post(), 'create', nest.Body());
nest.Controller('v1/pets')(PetsController);
const limit = (context) => context.switchToHttp().getRequest().account.perDay;
const throttling = { storage: new CountingStorage(), throttlers: [{ ttl: DAY_MS, limit }] };
nest.Module({
  imports: [ThrottlerModule.forRoot(throttling)],
  controllers: [PetsController],
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: AccountThrottlerGuard },
  ],
})(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
