import { expect, test } from 'bun:test';
import {
  AnimalStore,
  type FailureEvent,
  type RequestEvent,
} from '../../packages/client/src/animal-store.ts';
import { startService } from '../support/service.ts';
import { passThrough, refuseConnection, virtualTimeStore } from './virtual-time-store.ts';

test('hooks see every request, response, failure and wait, and their errors are ignored', async () => {
  await using service = await startService();
  const events: string[] = [];
  const hooks = {
    onRequest({ operation, attempt, url }: { operation: string; attempt: number; url: string }) {
      events.push(`${operation} ${attempt} ${url.slice(service.url.length)}`);
      throw new Error('the log is full');
    },
    async onResponse({ status }: { status: number }) {
      events.push(String(status));
      throw new Error('the log is full');
    },
    onFailure({ operation, attempt, error }: FailureEvent) {
      events.push(`${operation} ${attempt} failed: ${error.name}`);
      throw new Error('the log is full');
    },
    onWait: ({ reason }: { reason: string }) => void events.push(reason),
  };
  const { store, settled } = virtualTimeStore(service, { hooks }, [refuseConnection, passThrough]);
  await settled(store.listPets({ limit: 1, status: 'sold' }));
  expect(events).toEqual([
    'listPets 1 /pets?status=sold&limit=1',
    'listPets 1 failed: ConnectionError',
    'backoff',
    'listPets 2 /pets?status=sold&limit=1',
    '200',
  ]);
});

test('a hook cannot redirect the API key', async () => {
  await using service = await startService();
  const urls: string[] = [];
  const hooks = {
    onRequest(event: { -readonly [Name in keyof RequestEvent]: RequestEvent[Name] }) {
      event.url = 'https://elsewhere.example/v1/pets';
    },
  };
  const store = new AnimalStore({
    baseUrl: service.url,
    apiKey: service.key.secret,
    hooks,
    fetch(url, init) {
      urls.push(url);
      return fetch(url, init);
    },
  });
  await store.listPets();
  expect(urls).toEqual([`${service.url}/pets`]);
});
