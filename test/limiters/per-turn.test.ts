import { expect, test } from 'bun:test';
import { perTurn } from '../../src/limiters/redis/per-turn.ts';
import { rejection } from '../support/rejection.ts';

test('jobs of one turn share runs of a certain size, which overlap and fail alone', async () => {
  const runs: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const tenfold = perTurn<number, number>(async (jobs) => {
    runs.push([...jobs]);
    await gate.promise;
    if (jobs.includes(3)) throw new Error('away');
    return jobs.map((job) => job * 10);
  }, 2);
  const jobs = [1, 2, 4].map(tenfold);
  await new Promise(setImmediate);
  const failed = rejection(tenfold(3));
  await new Promise(setImmediate);
  expect(runs).toEqual([[1, 2], [4], [3]]);
  gate.resolve();
  expect(await Promise.all(jobs)).toEqual([10, 20, 40]);
  expect(String(await failed)).toBe('Error: away');
});
