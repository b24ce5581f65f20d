import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ isStaging: true });
});
afterAll(() => service[Symbol.asyncDispose]());

test('a request is served as at its test time, and the clock runs on', async () => {
  const { secret: key } = await service.makeKey();
  const at = (testTime?: string) =>
    service.call('/pets/1', { key, headers: testTime ? { 'X-Test-Time': testTime } : {} });
  expect((await at()).status).toBe(404);
  const before = await at('2030-12-04T23:59:59Z');
  expect(before.status).toBe(404);
  expect(before.headers.get('Date')).toBe('Wed, 04 Dec 2030 23:59:59 GMT');
  service.clock.advance(1);
  expect((await at()).status).toBe(410);
  expect((await at('now')).status).toBe(404);
});
