import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ROOT } from '../../bench/measure/checkout.ts';
import { check } from '../../bench/measure/checks.ts';
import { importFixture, SMALL } from '../../bench/measure/fixture.ts';
import { WORKLOADS } from '../../bench/measure/workloads.ts';
import { serve } from '../support/command.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a contender must send the same responses as Animal Store, digit for digit', async () => {
  using folder = temporaryFolder();
  const database = `sqlite:${join(folder.path, 'store.db')}`;
  importFixture(ROOT, database, SMALL);
  await using service = await serve({ DATABASE_URL: database });
  const { origin } = new URL(service.started.listening);
  let change = (body: string) => body;
  await using contender = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const response = await fetch(`${origin}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: request.method === 'POST' ? await request.text() : null,
      });
      const { status, headers } = response;
      return new Response(change(await response.text()), { status, headers });
    },
  });
  const url = contender.url.origin;

  for (const name of ['getPet', 'listPets20', 'listSold20', 'unauthorized', 'createPet'] as const) {
    await check(url, origin, WORKLOADS[name].request(0, SMALL));
  }
  change = (body) => body.replace('"categoryId":2', '"categoryId":3');
  const error = await rejection(check(url, origin, WORKLOADS.getPet.request(0, SMALL)));
  expect((error as Error).message).toStartWith('GET /v1/pets/1: expected 200');
});
