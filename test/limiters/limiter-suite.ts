import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  type Caller,
  countsAt,
  type Decision,
  type Limiter,
  minuteOffsetSeconds,
} from '#domain/rate-limit.ts';
import { Clock } from '../support/time.ts';
import {
  admitted,
  type ClockedLimiter,
  newCaller,
  takeAll,
  withClock,
  withoutKey,
} from './limiters.ts';

/** The refusals of a window that never count as strikes. */
const IN_FLIGHT = 200;

interface TestLimiter extends AsyncDisposable {
  readonly limiter: Limiter;
}

/** The rules that every limiter must obey. */
export function limiterSuite(
  name: string,
  open: (now: () => number) => Promise<TestLimiter>,
): void {
  describe(name, () => {
    const clock = new Clock();
    let opened: TestLimiter;
    let limiter: ClockedLimiter;

    beforeAll(async () => {
      opened = await open(clock.now);
      limiter = withClock(opened.limiter, clock.now);
    });
    beforeEach(() => clock.set('2026-11-15T12:00:00Z'));
    afterAll(() => opened[Symbol.asyncDispose]());

    /** A caller with a new account, with the clock at the start of its minute. */
    function callerAtMinuteStart(perMinute: number, perDay: number) {
      const caller = newCaller(perMinute, perDay);
      awaitNextMinute(caller);
      return caller;
    }

    function awaitNextMinute({ subject }: Caller): void {
      const { minuteStartSeconds } = countsAt(undefined, subject, clock.now());
      clock.nowMs = (minuteStartSeconds + 60) * 1000;
    }

    /** Sends until the key is banned. Returns the last decision. */
    async function ban(caller: Caller): Promise<Decision | undefined> {
      await takeAll(limiter, caller, 1 + IN_FLIGHT);
      clock.advance(2);
      return (await takeAll(limiter, caller, 30)).at(-1);
    }

    test('an admission has the count of its minute, with all keys of the account', async () => {
      const caller = callerAtMinuteStart(60, 100);
      const otherKey = { ...caller, id: newCaller(1, 1).id };
      expect(await limiter.take(caller)).toMatchObject({ window: 'minute', minuteUsed: 1 });
      expect(await limiter.take(otherKey)).toMatchObject({ minuteUsed: 2 });
      clock.advance(60);
      await takeAll(limiter, caller, 50);
      clock.advance(60);
      expect(await limiter.take(otherKey)).toMatchObject({ window: 'day', minuteUsed: 1 });
    });

    test('a look at the quota shows the counts after the last decision, and changes nothing', async () => {
      for (const caller of [
        newCaller(5, 9),
        withoutKey({ ...newCaller(5, 9), subject: 'address:x' }),
      ]) {
        awaitNextMinute(caller);
        const unknown = { window: 'minute', limit: 5, remaining: 5, windows: undefined };
        expect(limiter.peek(caller)).toMatchObject(unknown);
        for (let each = 0; each < 2; each++) {
          const { minuteUsed: _, ...quota } = { minuteUsed: 0, ...(await limiter.take(caller)) };
          expect(limiter.peek(caller)).toEqual(quota);
        }
        clock.advance(60);
        expect(limiter.peek(caller)).toMatchObject({ window: 'minute', remaining: 5 });
      }
    });

    test('of concurrent requests, exactly the minute limit is admitted', async () => {
      const decisions = await takeAll(limiter, callerAtMinuteStart(60, 1_000), 500);
      expect(admitted(decisions)).toBe(60);
      expect(decisions[59]).toHaveProperty('remaining', 0);
    });

    test('a refused request takes nothing from either window', async () => {
      const caller = callerAtMinuteStart(5, 1_000);
      await takeAll(limiter, caller, 200);
      clock.advance(60);
      expect(await limiter.take(caller)).toMatchObject({ window: 'minute', remaining: 4 });
      const day = { ...caller, perMinute: 1_000, perDay: 8 };
      expect(await limiter.take(day)).toHaveProperty('remaining', 1);
      // A new plan may allow less than was used.
      expect(await limiter.take({ ...day, perDay: 5 })).toHaveProperty('remaining', 0);
    });

    test('if both windows are full and end together, the day refuses', async () => {
      let caller: Caller;
      do caller = newCaller(1, 1);
      while (minuteOffsetSeconds(caller.subject) !== 0);
      clock.set('2026-11-15T23:59:30Z');
      const [, refused] = await takeAll(limiter, caller, 2);
      expect(refused).toMatchObject({ window: 'day', refusedBy: 'day', retryAfterSeconds: 30 });
    });

    test('a key that keeps sending after refusals is banned, and other keys of its account are not', async () => {
      const caller = callerAtMinuteStart(1, 100);
      for (let minute = 0; minute < 2; minute++) {
        awaitNextMinute(caller);
        await takeAll(limiter, caller, IN_FLIGHT);
      }
      clock.advance(2);
      // The first refused request was in flight as well.
      const [, ...decisions] = await takeAll(limiter, caller, 32);
      expect(decisions[28]).toMatchObject({ refusedBy: 'minute' });
      const began = { refusedBy: 'ban', retryAfterSeconds: 300, banBegan: true } as const;
      expect(decisions[29]).toMatchObject(began);
      const window = { remaining: 0, resetAtSeconds: Math.floor(clock.now() / 1000) + 300 };
      const windows = { minute: { ...window, limit: 1 }, day: { ...window, limit: 100 } };
      expect(decisions[30]).toMatchObject({ ...window, windows });
      expect(decisions[30]).not.toHaveProperty('banBegan');
      awaitNextMinute(caller);
      const other = { ...caller, id: newCaller(1, 100).id };
      expect((await limiter.take(other)).refusedBy).toBeUndefined();
    });

    test('a refusal in the same second as the first one, or in the next second, is not a strike', async () => {
      const caller = newCaller(1_000, 1);
      for (const seconds of [0, 1.999]) {
        clock.advance(seconds);
        const decisions = await takeAll(limiter, caller, 2 * IN_FLIGHT);
        expect(decisions.at(-1)).toHaveProperty('refusedBy', 'day');
      }
    });

    test.each([
      [59, 'ban'],
      [60, 'day'],
    ] as const)('a strike that was %d seconds ago leads to a %s', async (seconds, refusedBy) => {
      const caller = newCaller(1_000, 1);
      await takeAll(limiter, caller, 1 + IN_FLIGHT);
      clock.advance(2);
      await takeAll(limiter, caller, 29);
      clock.advance(seconds);
      expect(await limiter.take(caller)).toHaveProperty('refusedBy', refusedBy);
    });

    test('bans double, up to an hour, and start over after a day without a ban', async () => {
      const caller = callerAtMinuteStart(1, 100);
      const lengths: number[] = [];
      // The next ban begins 62 seconds after the pause, in the next minute.
      const daySeconds = 86_400 - 62;
      for (const pauseSeconds of [0, 0, 0, 0, daySeconds, daySeconds - 60, 0]) {
        awaitNextMinute(caller);
        const last = await ban(caller);
        const seconds = last?.refusedBy === 'ban' ? last.retryAfterSeconds : 0;
        lengths.push(seconds);
        clock.advance(seconds + pauseSeconds);
      }
      expect(lengths).toEqual([300, 600, 1_200, 2_400, 3_600, 300, 600]);
    });

    test('requests during a ban do not extend it and do not count', async () => {
      const caller = callerAtMinuteStart(1, 100);
      await ban(caller);
      for (let minute = 0; minute < 5; minute++) {
        clock.advance(59);
        await takeAll(limiter, caller, 100);
      }
      expect(await limiter.take(caller)).toMatchObject({ retryAfterSeconds: 5 });
      clock.advance(5);
      const day = { ...caller, perMinute: 1_000, perDay: 100 };
      expect(await limiter.take(day)).toHaveProperty('remaining', 98);
    });

    test('lifting a ban ends it at once, also one that a clock a day ahead has set', async () => {
      for (const seconds of [60, -86_400]) {
        const caller = callerAtMinuteStart(1, 100);
        const { resetAtSeconds } = (await ban(caller)) as Decision;
        clock.advance(seconds);
        // A ban ends when it was set to end, whatever the clock does.
        expect(await limiter.take(caller)).toMatchObject({ refusedBy: 'ban', resetAtSeconds });
        clock.advance(60);
        const unbanned = { ...caller, unbannedAtMs: clock.now() };
        expect((await limiter.take(unbanned)).refusedBy).toBeUndefined();
      }
    });

    test('an address is limited but never banned', async () => {
      const caller = { subject: 'address:192.0.2.1', perMinute: 1, perDay: 10 };
      expect(await ban(caller)).toMatchObject({ refusedBy: 'minute' });
    });
  });
}
