import { describe, expect, test } from 'bun:test';
import { recovering, whenReady } from '../../src/domain/awaitable.ts';

describe('whenReady', () => {
  test('goes on at once with a value that is there', () => {
    expect(whenReady(1, (value) => value + 1)).toBe(2);
  });

  test('goes on later with one that comes', async () => {
    const later = whenReady(Promise.resolve(1), (value) => value + 1);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(2);
  });
});

describe('recovering', () => {
  const fault = new Error('a fault');
  const tell = (thrown: unknown) => `recovered from ${(thrown as Error).message}`;

  test('leaves what does not fail as it is', async () => {
    expect(recovering(() => 'fine', tell)).toBe('fine');
    expect(await recovering(() => Promise.resolve('fine'), tell)).toBe('fine');
  });

  test('recovers from what is thrown at once and from what fails later', async () => {
    const failNow = (): string => {
      throw fault;
    };
    expect(recovering(failNow, tell)).toBe('recovered from a fault');
    const failLater = () => Promise.reject<string>(fault);
    expect(await recovering(failLater, tell)).toBe('recovered from a fault');
  });
});
