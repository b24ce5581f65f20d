import { afterEach, describe, expect, jest, test } from 'bun:test';
import { join } from 'node:path';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import type { Caller } from '../../src/domain/rate-limit.ts';
import type { UsageChanges, UsageJournal } from '../../src/domain/usage-journal.ts';
import { NO_JOURNAL } from '../../src/domain/usage-journal.ts';
import { MemoryLimiter } from '../../src/limiters/memory.ts';
import { Clock } from '../support/clock.ts';
import { failLoudly } from '../support/fail-loudly.ts';
import { openStore } from '../support/open-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { limiterSuite } from './limiter-suite.ts';

async function openOnFile(path: string, now: () => number) {
  const resources = new AsyncDisposableStack();
  const { journal } = resources.use(await openStore(`sqlite:${path}`));
  const limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
  resources.use(limiter);
  return { limiter, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

limiterSuite('the limiter in memory', async (now) => {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(temporaryFolder());
  const { limiter } = resources.use(await openOnFile(join(folder.path, 'store.db'), now));
  return { limiter, [Symbol.asyncDispose]: () => resources.disposeAsync() };
});

describe('after a restart', () => {
  const account: Caller = {
    subject: 'account:1',
    limits: { perMinute: 3, perDay: 100 },
    key: { id: 1, unbannedAtMs: 0 },
  };
  const address: Caller = {
    subject: 'address:192.0.2.1',
    limits: { perMinute: 60, perDay: 1_000 },
  };

  test('counts and bans continue', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    const clock = new Clock();
    {
      await using first = await openOnFile(path, clock.now);
      for (let i = 0; i < 3 + 200; i++) await first.limiter.take(account, clock.now());
      await first.limiter.take(address, clock.now());
      clock.advance(2);
      for (let i = 0; i < 30; i++) await first.limiter.take(account, clock.now());
    }
    await using second = await openOnFile(path, clock.now);
    expect(await second.limiter.take(account, clock.now())).toMatchObject({
      refusedBy: 'ban',
      retryAfterSeconds: 300,
      limit: 3,
      remaining: 0,
    });
    expect(await second.limiter.peek(address, clock.now())).toMatchObject({ remaining: 59 });
  });

  test('usage and penalties that have ended are deleted from the journal', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'store.db');
    const clock = new Clock();
    {
      await using first = await openOnFile(path, clock.now);
      for (let i = 0; i < 4; i++) await first.limiter.take(account, clock.now());
      await first.limiter.save();
      clock.advance(3 * 86_400);
      await first.limiter.take(address, clock.now());
    }
    await using store = await openStore(`sqlite:${path}`);
    const { journal } = store;
    expect(journal.findUsage(address.subject)).toMatchObject({ dayUsed: 1 });
    expect(journal.findUsage(account.subject)).toBeUndefined();
    expect(journal.loadPenalties()).toEqual([]);
  });
});

test('usage of an account that sends nothing after a restart is deleted when the next day ends', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  const clock = new Clock();
  const caller = { subject: 'account:1', limits: { perMinute: 3, perDay: 100 } };
  {
    await using first = await openOnFile(path, clock.now);
    await first.limiter.take(caller, clock.now());
  }
  clock.advance(2 * 86_400);
  {
    await using second = await openOnFile(path, clock.now);
    await second.limiter.take({ ...caller, subject: 'account:2' }, clock.now());
  }
  await using store = await openStore(`sqlite:${path}`);
  expect(store.journal.findUsage(caller.subject)).toBeUndefined();
});

test('while the journal cannot be read, nothing is counted', async () => {
  const unavailable = new StoreUnavailableError('unavailable');
  const journal: UsageJournal = {
    ...NO_JOURNAL,
    findUsage() {
      throw unavailable;
    },
  };
  const clock = new Clock();
  const { now } = clock;
  await using limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
  const caller = { subject: 'account:1', limits: { perMinute: 3, perDay: 100 } };
  expect(() => limiter.take(caller, clock.now())).toThrow(unavailable);
  expect(() => limiter.peek(caller, clock.now())).toThrow(unavailable);
});

test('a restart just after midnight does not reset a minute that began before it', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'store.db');
  const clock = new Clock();
  const caller = { subject: 'account:1', limits: { perMinute: 1, perDay: 100 } };
  const untilMidnight = 86_400 - ((clock.now() / 1000) % 86_400);
  clock.advance(untilMidnight - 1);
  let resetAtSeconds: number;
  {
    await using first = await openOnFile(path, clock.now);
    ({ resetAtSeconds } = await first.limiter.take(caller, clock.now()));
    clock.advance(1);
    await first.limiter.take({ ...caller, subject: 'account:2' }, clock.now());
    await first.limiter.save();
    expect(await first.limiter.take(caller, clock.now())).toMatchObject({
      refusedBy: 'minute',
      resetAtSeconds,
    });
  }
  await using second = await openOnFile(path, clock.now);
  expect(await second.limiter.take(caller, clock.now())).toMatchObject({
    refusedBy: 'minute',
    resetAtSeconds,
  });
});

test('usage is read once after a restart, even if every request is refused', async () => {
  let reads = 0;
  const clock = new Clock();
  const { now } = clock;
  const nowSeconds = Math.floor(now() / 1000);
  const usage = {
    minuteStartSeconds: nowSeconds,
    minuteUsed: 3,
    dayStartSeconds: nowSeconds - (nowSeconds % 86_400),
    dayUsed: 3,
  };
  const journal: UsageJournal = {
    ...NO_JOURNAL,
    findUsage() {
      reads++;
      return { ...usage };
    },
  };
  await using limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
  const limits = { perMinute: 3, perDay: 100 };
  for (const subject of ['account:1', 'address:192.0.2.1']) {
    for (let i = 0; i < 3; i++) {
      expect(await limiter.take({ subject, limits }, clock.now())).toMatchObject({
        refusedBy: 'minute',
      });
    }
  }
  expect(reads).toBe(2);
});

describe('a journal that cannot be written', () => {
  test('gets all missed changes with the next save', async () => {
    const saved: UsageChanges[] = [];
    const failures: unknown[] = [];
    let broken = true;
    const journal: UsageJournal = {
      ...NO_JOURNAL,
      async save(changes) {
        if (broken) throw new Error('disk full');
        saved.push(changes);
      },
    };
    const clock = new Clock();
    await using limiter = new MemoryLimiter({
      now: clock.now,
      journal,
      onSaveFailed: (error) => failures.push(error),
    });
    const caller = {
      subject: 'account:1',
      limits: { perMinute: 1, perDay: 9 },
      key: { id: 7, unbannedAtMs: 0 },
    };
    await limiter.take(caller, clock.now());
    await limiter.take(caller, clock.now());
    await limiter.save();
    expect(failures).toHaveLength(1);
    broken = false;
    await limiter.save();
    expect(saved).toMatchObject([
      { usages: [['account:1', { minuteUsed: 1, dayUsed: 1 }]], penalties: [[7, { strikes: [] }]] },
    ]);
  });
});

/** A journal that records what it saves. */
function recordingJournal() {
  const saved: UsageChanges[] = [];
  const journal: UsageJournal = {
    ...NO_JOURNAL,
    async save(changes) {
      saved.push(changes);
    },
  };
  return { saved, journal };
}

describe('a save', () => {
  const caller = {
    subject: 'account:1',
    limits: { perMinute: 9, perDay: 9 },
    key: { id: 1, unbannedAtMs: 0 },
  };
  /** Lets promises settle, which fake timers do not. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await undefined;
  };
  afterEach(() => jest.useRealTimers());

  test('begins with the first request, and at most every 50 ms', async () => {
    jest.useFakeTimers();
    const counts: (number | undefined)[] = [];
    const isDone = Promise.withResolvers<void>();
    const journal: UsageJournal = {
      ...NO_JOURNAL,
      save({ usages }) {
        counts.push(...usages.map(([, usage]) => usage?.dayUsed));
        return isDone.promise;
      },
    };
    const clock = new Clock();
    const { now } = clock;
    await using limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
    // If the test fails, the stop must not wait for the save.
    using _end = { [Symbol.dispose]: () => isDone.resolve() };
    limiter.take(caller, clock.now());
    limiter.take(caller, clock.now());
    jest.advanceTimersByTime(1);
    await settle();
    expect(counts).toEqual([2]);
    limiter.take(caller, clock.now());
    jest.advanceTimersByTime(10_000);
    expect(counts).toEqual([2]);
    isDone.resolve();
    await settle();
    limiter.take(caller, clock.now());
    jest.advanceTimersByTime(49);
    expect(counts).toEqual([2]);
    jest.advanceTimersByTime(2);
    await settle();
    expect(counts).toEqual([2, 4]);
    await settle();
    jest.advanceTimersByTime(10_000);
    expect(counts).toEqual([2, 4]);
    limiter.take(caller, clock.now());
    jest.advanceTimersByTime(1);
    await settle();
    expect(counts).toEqual([2, 4, 5]);
  });

  test('that failed is repeated after half a second', async () => {
    jest.useFakeTimers();
    let failures = 0;
    const journal: UsageJournal = { ...NO_JOURNAL, save: () => Promise.reject('locked') };
    const onSaveFailed = () => failures++;
    const clock = new Clock();
    await using limiter = new MemoryLimiter({ now: clock.now, journal, onSaveFailed });
    limiter.take(caller, clock.now());
    jest.advanceTimersByTime(1);
    await settle();
    expect(failures).toBe(1);
    jest.advanceTimersByTime(499);
    await settle();
    expect(failures).toBe(1);
    jest.advanceTimersByTime(2);
    await settle();
    expect(failures).toBe(2);
  });
});

test('at most 50,000 addresses are counted, and the least recently used are dropped', async () => {
  const { saved, journal } = recordingJournal();
  const limits = { perMinute: 60, perDay: 1_000 };
  const caller = (index: number) => ({
    subject: `address:2001:db8:${index.toString(16)}:0::/64`,
    limits,
  });
  {
    const clock = new Clock();
    const { now } = clock;
    await using limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
    for (let i = 0; i < 100_000; i++) {
      limiter.take(caller(i), clock.now());
      if (i % 10_000 === 0) limiter.take(caller(0), clock.now());
    }
    expect(limiter.peek(caller(0), clock.now()).remaining).toBe(60 - 11);
    expect(limiter.peek(caller(1), clock.now()).remaining).toBe(60);
    expect(limiter.peek(caller(99_999), clock.now()).remaining).toBe(59);
  }
  const kept = saved.flatMap(({ usages }) => usages);
  expect(kept.length).toBeGreaterThan(25_000);
  expect(kept.length).toBeLessThanOrEqual(50_000);
});

test('the counts of all addresses are saved at shutdown', async () => {
  const { saved, journal } = recordingJournal();
  const limits = { perMinute: 60, perDay: 1_000 };
  const count = 40_000;
  {
    const clock = new Clock();
    const { now } = clock;
    await using limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
    for (let i = 0; i < count; i++) limiter.take({ subject: `address:${i}`, limits }, clock.now());
  }
  const usages = saved.flatMap(({ usages }) => usages);
  expect(usages.filter(([, usage]) => usage?.dayUsed === 1)).toHaveLength(count);
});

test('addresses, and refusals that are not strikes, are saved at shutdown and not before', async () => {
  const { saved, journal } = recordingJournal();
  const address = { subject: 'address:192.0.2.1', limits: { perMinute: 60, perDay: 1_000 } };
  const account = {
    subject: 'account:1',
    limits: { perMinute: 1, perDay: 9 },
    key: { id: 7, unbannedAtMs: 0 },
  };
  {
    const clock = new Clock();
    const { now } = clock;
    await using limiter = new MemoryLimiter({ now, journal, onSaveFailed: failLoudly });
    limiter.take(address, clock.now());
    await limiter.save();
    expect(saved).toEqual([]);
    limiter.take(account, clock.now());
    limiter.take(account, clock.now());
    await limiter.save();
    expect(saved.splice(0)).toMatchObject([
      { usages: [['account:1', { minuteUsed: 1 }]], penalties: [[7, { refusals: 1 }]] },
    ]);
    limiter.take(account, clock.now());
    await limiter.save();
    expect(saved).toEqual([]);
  }
  expect(saved).toMatchObject([
    { usages: [['address:192.0.2.1', { minuteUsed: 1 }]], penalties: [[7, { refusals: 2 }]] },
  ]);
});
