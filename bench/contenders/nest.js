import 'reflect-metadata';
import {
  Body,
  Catch,
  Controller,
  Get,
  HttpException,
  Injectable,
  Module,
  Param,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import {
  DAY_MS,
  ERRORS,
  openAnimals,
  pageOf,
  readListQuery,
  readNewPet,
  secretOf,
} from './animals.js';

const { accountOf, getPet, listPets, createPet } = await openAnimals(process.env.DATABASE_FILE);

function refuse(error) {
  throw new HttpException(error, error.status);
}

class ApiKeyGuard {
  canActivate(context) {
    const request = context.switchToHttp().getRequest();
    request.account = accountOf(secretOf(request.headers.authorization));
    return request.account !== undefined || refuse(ERRORS.invalidApiKey);
  }
}

/** The storage that comes along goes through all requests of the window at each new one. */
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

  /** One count for all operations of an account, where the default has one for each. */
  generateKey(_context, tracker) {
    return tracker;
  }

  async throwThrottlingException() {
    refuse(ERRORS.rateLimitDay);
  }
}

class ErrorFilter {
  catch(exception, host) {
    const reply = host.switchToHttp().getResponse();
    reply.code(exception.getStatus()).send(exception.getResponse());
  }
}

class PetsController {
  list(asked, reply) {
    const query = readListQuery(asked) ?? refuse(ERRORS.invalidParameter);
    const { pets, link } = pageOf(query, listPets);
    if (link !== undefined) reply.header('link', link);
    return pets;
  }

  get(id) {
    return getPet(Number(id)) ?? refuse(ERRORS.petNotFound);
  }

  create(body, reply) {
    const pet = createPet(readNewPet(body) ?? refuse(ERRORS.validationFailed));
    reply.header('location', `/v1/pets/${pet.id}`);
    return pet;
  }
}

class AppModule {}

/** What a compiler makes of the decorators that TypeScript would have above each class and method. */
function decorate(decorator, type, method, ...parameters) {
  const { prototype } = type;
  for (const [index, parameter] of parameters.entries()) parameter(prototype, method, index);
  decorator(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}

const passThrough = () => Res({ passthrough: true });
Injectable()(ApiKeyGuard);
Injectable()(AccountThrottlerGuard);
Catch(HttpException)(ErrorFilter);
decorate(Get(), PetsController, 'list', Query(), passThrough());
decorate(Get(':id'), PetsController, 'get', Param('id'));
decorate(Post(), PetsController, 'create', Body(), passThrough());
Controller('v1/pets')(PetsController);
Module({
  imports: [
    ThrottlerModule.forRoot({
      storage: new CountingStorage(),
      throttlers: [
        {
          ttl: DAY_MS,
          limit: (context) => context.switchToHttp().getRequest().account.perDay,
        },
      ],
    }),
  ],
  controllers: [PetsController],
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: AccountThrottlerGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
