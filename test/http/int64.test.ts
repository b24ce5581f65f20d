import { afterAll, beforeAll, expect, test } from 'bun:test';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { amount } from '../support/long.ts';
import { startService, type TestService } from '../support/service.ts';

const RANDOM_VALUES = amount(2_000, 10_000);
const AT_ONCE = 200;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

function randomInt64(): bigint {
  const bits = BigInt.asIntN(64, crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n);
  // Half of all int64 have 63 digits in base two; shifted, every length comes up.
  return bits >> BigInt(Math.floor(Math.random() * 63));
}

function edges(): bigint[] {
  const middle = 2n ** 53n;
  const around = [middle - 1n, middle, middle + 1n].flatMap((value) => [value, -value]);
  return [...around, INT64_MIN, INT64_MIN + 1n, INT64_MAX - 1n, INT64_MAX, 0n, -1n, 1n];
}

/** The text that stands for categoryId, digit for digit, with the id it was given. */
function digits(json: string): { id: string; categoryId: string } {
  const [, id = '', categoryId = ''] =
    /"id":(-?\d+),"name":"[^"]*","categoryId":(-?\d+)[,}]/.exec(json) ?? [];
  return { id, categoryId };
}

async function survives(value: bigint): Promise<void> {
  const created = await service.post(`{"name":"Int","categoryId":${value}}`);
  const { id, categoryId } = digits(await created.text());
  expect(categoryId).toBe(String(value));
  const read = await service.call(`/pets/${id}`);
  expect(digits(await read.text())).toEqual({ id, categoryId });
  const listed = await service.call(`/pets?after=${BigInt(id) - 1n}&limit=1`);
  expect(digits(await listed.text())).toEqual({ id, categoryId });
}

test('the edges of int64 and of double precision survive create, get and list digit for digit', async () => {
  for (const value of edges()) await survives(value);
});

test('random int64 survive create, get and list digit for digit', async () => {
  for (let done = 0; done < RANDOM_VALUES; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => survives(randomInt64())));
  }
});

test('one past either edge is 400', async () => {
  for (const value of [INT64_MAX + 1n, INT64_MIN - 1n]) {
    const response = await service.post(`{"name":"Int","categoryId":${value}}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'validation_failed' });
  }
});
