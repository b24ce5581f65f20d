import { expect, test } from 'bun:test';
import { rememberLast } from '../../src/domain/remember-last.ts';

test('the last answer is ready, and no other', () => {
  const asked: number[] = [];
  const double = rememberLast<number, number>(Object.is, (number) => {
    asked.push(number);
    return 2 * number;
  });
  expect([1, 1, 2, 2, 1].map(double)).toEqual([2, 2, 4, 4, 2]);
  expect(asked).toEqual([1, 2, 1]);
});
