import { expect, jest, test } from 'bun:test';
import { withDeadline } from '#timing/deadline.ts';

test('work that meets its deadline is never late', async () => {
  jest.useFakeTimers();
  const late = jest.fn(() => new Error('late'));
  expect(await withDeadline(20, Promise.resolve(7), late)).toBe(7);
  jest.advanceTimersByTime(20);
  jest.useRealTimers();
  expect(late).not.toHaveBeenCalled();
});
