import 'reflect-metadata';
import * as nest from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { countRequest, ERRORS, keyFrom, operationsOf } from './pets.js';
import { openStore } from './store.js';

const store = await openStore();
const { listPets, getPet, createPet } = operationsOf(store);

/** Counts by hand, because @nestjs/throttler walks through all requests of the window for each new one. */
class AccountGuard {
  canActivate(context) {
    const http = context.switchToHttp();
    const account = store.accountOf(keyFrom(http.getRequest().headers.authorization));
    if (account === undefined) refuse(ERRORS.invalidApiKey);
    const { isAllowed, limits } = countRequest(account);
    http.getResponse().headers(Object.fromEntries(limits));
    return isAllowed || refuse(ERRORS.rateLimitDay);
  }
}

async function respond(reply, operation) {
  const { status, headers, body } = await operation;
  if (status >= 400) refuse(body);
  reply.headers(headers);
  return body;
}

function refuse(error) {
  throw new nest.HttpException(error, error.status);
}

class PetsController {}

/** Adds a method and applies its decorators the way compiled TypeScript does. */
function addRoute(name, decorator, parameter, operation) {
  const { prototype } = PetsController;
  prototype[name] = (input, reply) => respond(reply, operation(input));
  parameter(prototype, name, 0);
  nest.Res({ passthrough: true })(prototype, name, 1);
  decorator(prototype, name, Object.getOwnPropertyDescriptor(prototype, name));
}
addRoute('list', nest.Get(), nest.Query(), listPets);
addRoute('get', nest.Get(':id'), nest.Param('id'), getPet);
addRoute('create', nest.Post(), nest.Body(), createPet);
nest.Controller('v1/pets')(PetsController);
nest.Injectable()(AccountGuard);

class AppModule {}
const providers = [{ provide: APP_GUARD, useClass: AccountGuard }];
nest.Module({ controllers: [PetsController], providers })(AppModule);

const app = await NestFactory.create(AppModule, new FastifyAdapter(), { logger: false });
await app.listen(Number(process.env.PORT), '127.0.0.1');
