import { expect, test } from 'bun:test';
import {
  AnimalStore,
  type FailureEvent,
  type RequestEvent,
} from '../../src/client/animal-store.ts';
import { rejection } from '../support/rejection.ts';
import { startService } from '../support/service.ts';
import { answer, neverAnswer, pass, patientStore, refuseConnection } from './patient-store.ts';

test('hooks are told of every request, answer, failure and wait, and may fail', async () => {
  await using service = await startService();
  const told: string[] = [];
  const hooks = {
    onRequest({ operation, attempt, url }: { operation: string; attempt: number; url: string }) {
      told.push(`${operation} ${attempt} ${url.slice(service.url.length)}`);
      throw new Error('the log is full');
    },
    async onResponse({ status }: { status: number }) {
      told.push(String(status));
      throw new Error('the log is full');
    },
    onFailure({ operation, attempt, error }: FailureEvent) {
      told.push(`${operation} ${attempt} failed: ${error.name}`);
      throw new Error('the log is full');
    },
    onWait: ({ reason }: { reason: string }) => void told.push(reason),
  };
  const { store, settled } = patientStore(service, { hooks }, [refuseConnection, pass]);
  await settled(store.listPets({ limit: 1, status: 'sold' }));
  expect(told).toEqual([
    'listPets 1 /pets?status=sold&limit=1',
    'listPets 1 failed: ConnectionError',
    'backoff',
    'silence',
    'listPets 2 /pets?status=sold&limit=1',
    '200',
  ]);
});

test('onFailure is told of the last attempt as well, whatever it failed by', async () => {
  await using service = await startService();
  const told: string[] = [];
  const hooks = {
    onFailure: ({ attempt, error }: FailureEvent) => told.push(`${attempt} ${error.name}`),
  };
  const fates = [neverAnswer, refuseConnection, answer(503, 'busy')];
  const { store, settled } = patientStore(service, { hooks, maxRetries: 2 }, fates);
  await rejection(settled(store.listPets()));
  await rejection(settled(store.getPet(99n)));
  expect(told).toEqual([
    '1 TimeoutError',
    '2 ConnectionError',
    '3 UnexpectedAnswerError',
    '1 ApiError',
  ]);
});

test('a hook cannot send the API key elsewhere', async () => {
  await using service = await startService();
  const asked: string[] = [];
  const hooks = {
    onRequest(event: { -readonly [Name in keyof RequestEvent]: RequestEvent[Name] }) {
      event.url = 'https://elsewhere.example/v1/pets';
    },
  };
  const store = new AnimalStore({
    ...{ baseUrl: service.url, apiKey: service.key.secret, hooks },
    fetch(url, init) {
      asked.push(url);
      return fetch(url, init);
    },
  });
  await store.listPets();
  expect(asked).toEqual([`${service.url}/pets`]);
});
