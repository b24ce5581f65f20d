import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { type CountsChanges, NO_JOURNAL } from '#domain/counts-journal.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import type { Caller } from '#domain/rate-limit.ts';
import { MemoryLimiter } from '#limiters/memory.ts';
import { openStore } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { Clock, failLoudly } from '../support/time.ts';
import { limiterSuite } from './limiter-suite.ts';
import { takeAll, withClock } from './limiters.ts';

async function openOnFile(url: string, now: () => number) {
  const resources = new AsyncDisposableStack();
  const { journal } = resources.use(await openStore(url));
  const limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
  resources.use(limiter);
  return {
    limiter: withClock(limiter, now),
    inMemory: limiter,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A limiter on a journal that records what it saves, and whose first saves can fail. */
function openOnJournal(failures = 0) {
  const clock = new Clock();
  const saved: CountsChanges[] = [];
  const failed: unknown[] = [];
  const save = async (changes: CountsChanges) => {
    if (failed.length < failures) throw new Error('disk full');
    saved.push(structuredClone(changes));
  };
  const limiter = new MemoryLimiter({
    now: clock.now,
    journal: { ...NO_JOURNAL, save },
    onSaveFailed: (error) => failed.push(error),
  });
  const take = (caller: Caller = ACCOUNT) => limiter.take(caller, clock.now());
  return { take, saved, failed, limiter };
}

const ACCOUNT = { subject: 'account:1', perMinute: 3, perDay: 100, id: 1, unbannedAtMs: 0 };
const ADDRESS = { subject: 'address:192.0.2.1', perMinute: 60, perDay: 1_000 };

limiterSuite('the limiter in memory', (now) => openOnFile(newFile().url, now));

describe('a save', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  async function pass(milliseconds: number) {
    jest.advanceTimersByTime(milliseconds);
    for (let turn = 0; turn < 10; turn++) await undefined;
  }

  test('follows the first change after 50 ms, and then at most every 50 ms', async () => {
    const { limiter, saved, take } = openOnJournal();
    await using _limiter = limiter;
    for (const [milliseconds, saves] of [
      [49, 0],
      [1, 1],
      [49, 1],
      [1, 2],
    ] as const) {
      take();
      await pass(milliseconds);
      expect(saved).toHaveLength(saves);
    }
    // The first save of a day deletes counts that have ended.
    const ended = saved.map(({ endedBySeconds }) => endedBySeconds);
    expect(ended).toEqual([Date.UTC(2026, 10, 15) / 1000, undefined]);
  });

  test('that failed is repeated after 500 ms, with all changes', async () => {
    const { limiter, saved, failed, take } = openOnJournal(1);
    await using _limiter = limiter;
    for (let i = 0; i < 4; i++) take();
    await pass(50);
    await pass(499);
    expect([failed.length, saved]).toEqual([1, []]);
    await pass(1);
    expect(saved).toMatchObject([
      { counts: [['account:1', { dayUsed: 3 }]], penalties: [[1, { strikes: [] }]] },
    ]);
  });

  test.each([0, 1])(
    'does not happen again after the save at shutdown, with %d changes',
    async (changes) => {
      const { limiter, saved, take } = openOnJournal();
      for (let i = 0; i < changes; i++) take();
      await limiter[Symbol.asyncDispose]();
      take();
      await pass(50);
      expect(saved).toHaveLength(changes);
    },
  );
});

describe('after a restart', () => {
  const OTHER = { ...ACCOUNT, subject: 'account:2', id: 2 };

  test('bans and counts continue, and just after midnight so does a minute that began before it', async () => {
    const { url } = newFile();
    const clock = new Clock('2026-11-15T23:59:58Z');
    {
      await using first = await openOnFile(url, clock.now);
      await takeAll(first.limiter, ACCOUNT, 3 + 200);
      await takeAll(first.limiter, OTHER, 3);
      await first.limiter.take(ADDRESS);
      clock.advance(2);
      await takeAll(first.limiter, ACCOUNT, 30);
    }
    await using second = await openOnFile(url, clock.now);
    const { take } = second.limiter;
    expect(await take(ACCOUNT)).toMatchObject({
      refusedBy: 'ban',
      retryAfterSeconds: 300,
      limit: 3,
    });
    expect(await take(OTHER)).toHaveProperty('refusedBy', 'minute');
    expect(await take(ADDRESS)).toHaveProperty('remaining', 58);
  });

  test('counts and penalties that have ended are deleted', async () => {
    const { url } = newFile();
    const clock = new Clock();
    {
      await using first = await openOnFile(url, clock.now);
      await takeAll(first.limiter, ACCOUNT, 4);
    }
    clock.advance(3 * 86_400);
    {
      await using second = await openOnFile(url, clock.now);
      await second.limiter.take(OTHER);
      await second.inMemory.save();
      expect(await second.inMemory.getPenalty(ACCOUNT.subject, ACCOUNT.id)).toBeUndefined();
    }
    await using store = await openStore(url);
    expect(store.journal.findCounts(OTHER.subject)).toMatchObject({ dayUsed: 1 });
    expect(store.journal.findCounts(ACCOUNT.subject)).toBeUndefined();
    expect(store.journal.loadPenalties()).toEqual([]);
  });
});

test('while the journal cannot be read, nothing is counted', async () => {
  const unavailable = new StoreUnavailableError('unavailable');
  const findCounts = () => {
    throw unavailable;
  };
  const journal = { ...NO_JOURNAL, findCounts };
  await using limiter = new MemoryLimiter({ now: () => 0, journal, onSaveFailed: failLoudly });
  expect(() => limiter.take(ACCOUNT, 0)).toThrow(unavailable);
});

test('at most 50,000 addresses are counted, and the least recently used are dropped', async () => {
  const { limiter, saved, take } = openOnJournal();
  const remaining = (index: number) => take({ ...ADDRESS, subject: `address:${index}` }).remaining;
  for (let i = 0; i < 60_000; i++) {
    remaining(i);
    if (i % 10_000 === 0) remaining(0);
  }
  expect([0, 1, 59_999].map(remaining)).toEqual([60 - 8, 59, 58]);
  await limiter[Symbol.asyncDispose]();
  expect(saved.flatMap(({ counts }) => counts).length).toBeWithin(25_000, 50_001);
  // Counts are saved in slices, so that creations do not wait for all of them.
  expect(saved.every(({ counts }) => counts.length <= 1_000)).toBe(true);
});

test('addresses, and refusals that are not strikes, are saved at shutdown and not before', async () => {
  const { limiter, saved, take } = openOnJournal();
  const takeAndSave = async (caller: Caller) => {
    take(caller);
    await limiter.save();
    return saved.splice(0);
  };
  expect(await takeAndSave(ADDRESS)).toEqual([]);
  for (let i = 0; i < 4; i++) await takeAndSave(ACCOUNT);
  expect(await takeAndSave(ACCOUNT)).toEqual([]);
  await limiter[Symbol.asyncDispose]();
  expect(saved).toMatchObject([
    { counts: [[ADDRESS.subject, { minuteUsed: 1 }]], penalties: [[1, { refusals: 2 }]] },
  ]);
});
