import { describe, expect, test } from 'bun:test';
import { CannotRun } from '../../packages/conformance/src/session.ts';
import { FlakyProxy } from '../faults/flaky-proxy.ts';
import { rejection } from '../support/time.ts';
import {
  check,
  checkDeployment,
  reasonOf,
  startDeployment,
  WITHOUT_FREE_KEY,
} from './deployment.ts';

describe('a server that', () => {
  test('stalls in the middle of the body is unreachable after the timeout', async () => {
    const fault = () => new Response(stalling());
    const error = await rejection(checkDeployment({ fault }, { timeoutMs: 100 }), CannotRun);
    expect(error.message).toContain(': no complete response (The operation timed out');
  });

  test('sometimes drops the connection is checked to the end', async () => {
    await using server = await startDeployment();
    await using proxy = await FlakyProxy.start(new URL(server.url), {
      dropRequest: (text) => text.includes('limit=-1'),
    });
    const { failedIds } = await check({ ...server, url: proxy.url });
    expect(failedIds).toEqual(['listPets.limit.belowMinimum']);
  });

  test('stops responding ends the run after five requests', async () => {
    await using server = await startDeployment();
    await using proxy = await FlakyProxy.start(new URL(server.url), {
      dropRequest: (text) => text.startsWith('POST '),
    });
    const checked = await check({ ...server, url: proxy.url }, WITHOUT_FREE_KEY);
    expect(checked.stopped).toBe(
      'The service stopped responding: no complete response (ECONNRESET), 5 times in a row.',
    );
    expect(reasonOf(checked, 'createPet.body.json')).toBe(checked.stopped);
  });
});

function stalling(): ReadableStream<Uint8Array> {
  const { promise } = Promise.withResolvers<void>();
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"code":')),
    pull: () => promise,
  });
}
