import { describe, expect, test } from 'bun:test';
import { type Awaitable, recovering, whenReady } from '../../src/domain/awaitable.ts';

describe('whenReady', () => {
  test('goes on at once with a value that is there', () => {
    expect(whenReady(1, (value) => value + 1)).toBe(2);
  });

  test('goes on later with one that comes', async () => {
    const later = whenReady(Promise.resolve(1), (value) => value + 1);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(2);
  });

  test('hands the context on, now and later', async () => {
    const add = (value: number, context: { more: number }) => value + context.more;
    expect(whenReady(1, add, { more: 2 })).toBe(3);
    expect(await whenReady(Promise.resolve(1), add, { more: 2 })).toBe(3);
  });
});

describe('recovering', () => {
  const run = (context: { work: () => Awaitable<string> }) => context.work();
  const recover = (thrown: unknown, context: object) => {
    expect(context).toHaveProperty('work');
    return `recovered from ${thrown}`;
  };
  const recovered = (work: () => Awaitable<string>) => recovering(run, recover, { work });

  test('leaves what does not fail as it is', async () => {
    expect(recovered(() => 'fine')).toBe('fine');
    expect(await recovered(() => Promise.resolve('fine'))).toBe('fine');
  });

  test('recovers from what is thrown at once and from what fails later', async () => {
    const failNow = (): string => {
      throw 'a fault';
    };
    expect(recovered(failNow)).toBe('recovered from a fault');
    expect(await recovered(() => Promise.reject('a fault'))).toBe('recovered from a fault');
  });
});
