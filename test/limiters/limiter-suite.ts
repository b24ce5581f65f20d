import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Limiter } from '../../src/domain/rate-limit.ts';
import { admitted, newCaller, takeAll } from '../support/callers.ts';
import { Clock } from '../support/clock.ts';

/** The refusals of a window that never count as strikes. */
const IN_FLIGHT = 200;

export interface TestLimiter extends AsyncDisposable {
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
    let limiter: Limiter;

    beforeAll(async () => {
      opened = await open(clock.now);
      limiter = opened.limiter;
    });
    afterAll(() => opened[Symbol.asyncDispose]());

    /** A caller with a new account, with the clock at the start of its minute. */
    async function callerAtMinuteStart(perMinute: number, perDay: number) {
      const caller = newCaller(perMinute, perDay);
      const { resetAtSeconds } = await limiter.peek({
        ...caller,
        limits: { perMinute: 1, perDay: 2 },
      });
      clock.nowMs = resetAtSeconds * 1000;
      return caller;
    }

    test('of concurrent requests, exactly the minute limit is admitted', async () => {
      const decisions = await takeAll(limiter, await callerAtMinuteStart(60, 1_000), 500);
      expect(admitted(decisions)).toBe(60);
      const remaining = decisions.slice(0, 60).map((decision) => decision.remaining);
      expect(remaining).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
    });

    test('exactly the day limit is admitted over several minutes', async () => {
      const caller = await callerAtMinuteStart(60, 100);
      const counts: number[] = [];
      for (let minute = 0; minute < 4; minute++) {
        counts.push(admitted(await takeAll(limiter, caller, 70)));
        clock.advance(60);
      }
      expect(counts).toEqual([60, 40, 0, 0]);
    });

    test('a refused request takes nothing from either window', async () => {
      const caller = await callerAtMinuteStart(5, 1_000);
      await takeAll(limiter, caller, 200);
      clock.advance(60);
      const [next] = await takeAll(limiter, caller, 1);
      expect(next).toMatchObject({ window: 'minute', remaining: 4 });
      await takeAll(limiter, caller, 4);
      expect(
        (await limiter.peek({ ...caller, limits: { perMinute: 1_000, perDay: 12 } })).remaining,
      ).toBe(2);
    });

    test('a peek does not count', async () => {
      const caller = await callerAtMinuteStart(5, 100);
      for (let i = 0; i < 20; i++) expect((await limiter.peek(caller)).remaining).toBe(5);
    });

    test('accounts do not share windows', async () => {
      await takeAll(limiter, await callerAtMinuteStart(5, 100), 50);
      expect(admitted(await takeAll(limiter, await callerAtMinuteStart(5, 100), 50))).toBe(5);
    });

    test('the keys of one account share its windows', async () => {
      const first = await callerAtMinuteStart(10, 100);
      const second = { ...first, key: newCaller(10, 100).key };
      expect(admitted(await takeAll(limiter, first, 6))).toBe(6);
      expect(admitted(await takeAll(limiter, second, 6))).toBe(4);
    });

    test('a key that keeps sending after refusals is banned, and other keys of its account are not', async () => {
      const caller = await callerAtMinuteStart(1, 100);
      await takeAll(limiter, caller, 1 + IN_FLIGHT);
      clock.advance(2);
      const decisions = await takeAll(limiter, caller, 40);
      expect(decisions[28]).toMatchObject({ refusedBy: 'minute' });
      expect(decisions[29]).toMatchObject({
        refusedBy: 'ban',
        retryAfterSeconds: 300,
        banBegan: true,
      });
      expect(decisions[30]).not.toHaveProperty('banBegan');
      clock.advance(120);
      expect(await limiter.take(caller)).toMatchObject({
        refusedBy: 'ban',
        retryAfterSeconds: 180,
      });
      const other = { ...caller, key: newCaller(1, 100).key };
      expect((await limiter.take(other)).refusedBy).toBeUndefined();
    });

    test('a key is not banned for requests up to a second after the first refusal', async () => {
      const caller = await callerAtMinuteStart(1, 100);
      const decisions = await takeAll(limiter, caller, 500);
      clock.advance(1);
      decisions.push(...(await takeAll(limiter, caller, 500)));
      expect(decisions.filter(({ refusedBy }) => refusedBy === 'ban')).toEqual([]);
    });

    test('bans double, and start over after a day without one', async () => {
      const caller = await callerAtMinuteStart(1, 100);
      const nextBan = async (): Promise<number> => {
        const { resetAtSeconds } = await limiter.peek({
          ...caller,
          limits: { perMinute: 1, perDay: 2_000 },
        });
        clock.nowMs = resetAtSeconds * 1000;
        await takeAll(limiter, caller, 1 + IN_FLIGHT);
        clock.advance(2);
        const last = (await takeAll(limiter, caller, 30)).at(-1);
        if (last?.refusedBy !== 'ban') return 0;
        clock.advance(last.retryAfterSeconds);
        return last.retryAfterSeconds;
      };
      expect([await nextBan(), await nextBan(), await nextBan()]).toEqual([300, 600, 1_200]);
      clock.advance(86_400);
      expect(await nextBan()).toBe(300);
    });

    test('requests during a ban do not extend it and do not count', async () => {
      const caller = await callerAtMinuteStart(1, 100);
      await takeAll(limiter, caller, 1 + IN_FLIGHT);
      clock.advance(2);
      await takeAll(limiter, caller, 30);
      const { remaining } = await limiter.peek({
        ...caller,
        limits: { perMinute: 1_000, perDay: 100 },
      });
      for (let minute = 0; minute < 5; minute++) {
        clock.advance(59);
        await takeAll(limiter, caller, 100);
      }
      expect(await limiter.take(caller)).toMatchObject({ retryAfterSeconds: 5 });
      clock.advance(5);
      const after = await limiter.take(caller);
      expect(after.refusedBy).toBeUndefined();
      expect(remaining).toBe(99);
    });

    test('lifting a ban ends it at once', async () => {
      const caller = await callerAtMinuteStart(1, 100);
      await takeAll(limiter, caller, 1 + IN_FLIGHT);
      clock.advance(2);
      await takeAll(limiter, caller, 30);
      clock.advance(60);
      expect((await limiter.take(caller)).refusedBy).toBe('ban');
      const unbanned = { ...caller, key: { ...caller.key, unbannedAtMs: clock.now() } };
      expect((await limiter.take(unbanned)).refusedBy).toBeUndefined();
    });

    test('after a clock that was a day ahead is corrected, nobody waits for the next day', async () => {
      const caller = await callerAtMinuteStart(1_000, 5);
      clock.advance(86_400);
      expect(admitted(await takeAll(limiter, caller, 10))).toBe(5);
      clock.advance(-86_400);
      const decisions = await takeAll(limiter, caller, 6);
      expect(admitted(decisions)).toBe(5);
      const [refused] = decisions.slice(5);
      if (refused?.refusedBy !== 'day') throw new Error('The day has no limit.');
      expect(refused.retryAfterSeconds).toBeLessThanOrEqual(86_400);
      expect(refused.resetAtSeconds).toBe(Math.ceil((clock.now() + 1) / 86_400_000) * 86_400);
    });

    test('if the clock steps back by up to a minute, no window starts again', async () => {
      const caller = newCaller(5, 5);
      clock.nowMs = Math.ceil(clock.now() / 86_400_000 + 1) * 86_400_000 + 10_000;
      expect(admitted(await takeAll(limiter, caller, 10))).toBe(5);
      clock.advance(-60);
      const [refused] = await takeAll(limiter, caller, 1);
      expect(refused).toMatchObject({ refusedBy: 'day', retryAfterSeconds: 86_400 - 10 + 60 });
    });

    test('after a clock that was a day ahead is corrected, a key is not banned for a day', async () => {
      const caller = await callerAtMinuteStart(1, 100);
      clock.advance(86_400);
      await takeAll(limiter, caller, 1 + IN_FLIGHT);
      clock.advance(2);
      expect((await takeAll(limiter, caller, 30)).at(-1)).toHaveProperty('refusedBy', 'ban');
      clock.advance(-86_400);
      expect(await limiter.take(caller)).not.toHaveProperty('refusedBy');
    });

    test('an address is limited but never banned', async () => {
      const caller = { subject: 'address:192.0.2.1', limits: { perMinute: 1, perDay: 10 } };
      await takeAll(limiter, caller, 1 + IN_FLIGHT);
      clock.advance(2);
      const refusals = new Set(
        (await takeAll(limiter, caller, 100)).map(({ refusedBy }) => refusedBy),
      );
      expect([...refusals]).toEqual(['minute']);
    });
  });
}
