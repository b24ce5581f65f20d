import { expect, test } from 'bun:test';
import { readJsonBody } from '#http/read-body.ts';
import { rejection } from '../support/time.ts';

test('no body and no type is 400 malformed_json, not 415', async () => {
  const request = new Request('http://localhost/', { method: 'POST' });
  expect(await rejection(readJsonBody(request))).toMatchObject({
    problem: { error: 'malformed_json' },
  });
});

test('a body that does not arrive in time is 408 request_timeout, and its connection is closed', async () => {
  const body = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(5);
      controller.enqueue(new TextEncoder().encode(' '));
    },
  });
  const headers = { 'Content-Type': 'application/json' };
  const request = new Request('http://localhost/', { method: 'POST', body, headers });
  expect(await rejection(readJsonBody(request, 0.05))).toMatchObject({
    problem: { error: 'request_timeout', headers: { Connection: 'close' } },
  });
});
