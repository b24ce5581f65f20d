import { expect, test } from 'bun:test';
import { batcher } from '#timing/batcher.ts';
import { rejection } from '../support/time.ts';

test('jobs added during a batch run in the next one, in order', async () => {
  const batches: number[][] = [];
  const jobs = batcher<number, number>(async (jobs) => {
    batches.push([...jobs]);
    await Bun.sleep(1);
    return jobs.map((job) => job * 10);
  }, 3);
  const first = [1, 2].map((job) => jobs.add(job));
  await new Promise(setImmediate);
  const second = [3, 4, 5, 6].map((job) => jobs.add(job));
  expect(await Promise.all([...first, ...second])).toEqual([10, 20, 30, 40, 50, 60]);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('a failed batch rejects each of its jobs, and the next batch runs', async () => {
  const jobs = batcher<string, string>(async (jobs) => {
    if (jobs.includes('a')) throw new Error('away');
    return jobs;
  }, 2);
  const failed = ['a', 'b'].map((job) => rejection(jobs.add(job)));
  expect(await jobs.add('c')).toBe('c');
  // A job without a result would hang the test.
  expect(failed.map((job) => String(Bun.peek(job)))).toEqual(['Error: away', 'Error: away']);
});

test('a job that is withdrawn while it waits never runs', async () => {
  const ran: string[] = [];
  const jobs = batcher<string, string>(async (jobs) => {
    ran.push(...jobs);
    return jobs;
  }, 1);
  const first = jobs.add('a');
  jobs.add('b');
  const last = jobs.add('c');
  jobs.withdraw('b');
  jobs.withdraw('unknown');
  expect(await Promise.all([first, last])).toEqual(['a', 'c']);
  expect(ran).toEqual(['a', 'c']);
});

test('batches that overlap do not wait for each other', async () => {
  const run = async (jobs: readonly number[]) =>
    jobs.includes(1) ? new Promise<number[]>(() => {}) : jobs;
  const jobs = batcher(run, 1, 'overlapping');
  jobs.add(1);
  expect(await jobs.add(2)).toBe(2);
});
