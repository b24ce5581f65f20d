import { expect, test } from 'bun:test';
import { progressTo } from '#formats/progress.ts';

test('progress has done, rate and time left, for each kind of work, and only when that work takes long', () => {
  let nowMs = 5_000;
  const lines: string[] = [];
  const show = progressTo(
    (line) => lines.push(line),
    () => nowMs,
  );
  for (const [ms, ...work] of [
    [0, 10, 'pets', 4_000],
    [199, 20, 'pets', 4_000],
    [801, 1_500, 'pets', 4_000],
    [199, 1_600, 'pets', 4_000],
    [1_801, 4_000, 'pets', 3_999],
    [999, 1, 'MB read'],
    [2_000, 1.4, 'MB read'],
    [1, 9_000, 'MB read'],
    [0, 0, 'records', 7_200],
    [1_000, 1, 'records', 7_200],
  ] as [number, number, string, number?][]) {
    nowMs += ms;
    show(...work);
  }
  expect(lines).toEqual([
    '1,500 of 4,000 pets, 1,500/s, 00:00:01 left',
    '4,000 of 3,999 pets, 1,333/s, 00:00:00 left',
    '1 MB read, 1/s',
    '1 of 7,200 records, 1/s, 01:59:59 left',
  ]);
});
