import { afterAll, expect, test } from 'bun:test';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.ts';
import { amount } from '../support/long.ts';
import { startService } from '../support/service.ts';

const RANDOM_VALUES = amount(200, 10_000);
const AT_ONCE = 200;

const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());

function randomInt64(): bigint {
  const bits = BigInt.asIntN(64, crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n);
  // Half of all int64 values have 63 bits. The shift makes all lengths likely.
  return bits >> BigInt(Math.floor(Math.random() * 63));
}

function edgeValues(): bigint[] {
  const middle = 2n ** 53n;
  const around = [middle - 1n, middle, middle + 1n].flatMap((value) => [value, -value]);
  return [...around, INT64_MIN, INT64_MIN + 1n, INT64_MAX - 1n, INT64_MAX, 0n, -1n, 1n];
}

/** The digits of id and categoryId, as text. */
function digits(json: string): { id: string; categoryId: string } {
  const [, id = '', categoryId = ''] =
    /"id":(-?\d+),"name":"[^"]*","categoryId":(-?\d+)[,}]/.exec(json) ?? [];
  return { id, categoryId };
}

async function expectExact(value: bigint): Promise<void> {
  const created = await service.post(`{"name":"Int","categoryId":${value}}`);
  const { id, categoryId } = digits(await created.text());
  expect(categoryId).toBe(String(value));
  const read = await service.call(`/pets/${id}`);
  expect(digits(await read.text())).toEqual({ id, categoryId });
  const listed = await service.call(`/pets?after=${BigInt(id) - 1n}&limit=1`);
  expect(digits(await listed.text())).toEqual({ id, categoryId });
}

test('the limits of int64 and of double precision keep every digit in create, get and list', async () => {
  for (const value of edgeValues()) await expectExact(value);
});

test('random int64 values keep every digit in create, get and list', async () => {
  for (let done = 0; done < RANDOM_VALUES; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => expectExact(randomInt64())));
  }
});
