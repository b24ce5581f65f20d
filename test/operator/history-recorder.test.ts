import { afterEach, describe, expect, jest, test } from 'bun:test';
import { problem } from '#contract/errors.ts';
import type { Route } from '#contract/exchange.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import type { UsagePeriod } from '#domain/operator/history.ts';
import { HistoryRecorder } from '#operator/history-recorder.ts';
import { aKnownKey } from '../support/values.ts';

const HOUR_MS = 3_600_000;
const AT_MS = Date.UTC(2026, 10, 15, 12);
const GET_PET: Route = { operation: 'getPet', isApi: true, allow: [] };

/** A recorder whose store fails with the next of these errors, if there is one. */
function newRecorder(errors: (Error | Promise<Error>)[] = []) {
  const added: (readonly UsagePeriod[])[] = [];
  /** The sizes of the batches. */
  const tried: number[] = [];
  const lost: unknown[] = [];
  const compactions: number[] = [];
  const history = {
    async add(batch: readonly UsagePeriod[]) {
      tried.push(batch.length);
      const error = await errors.shift();
      if (error !== undefined) throw error;
      added.push(batch);
    },
    oldest: async () => compactions.at(-1) ?? 0,
    async compact(_: string, beforeMs: number) {
      compactions.push(beforeMs);
      const error = await errors.shift();
      if (error !== undefined) throw error;
    },
  };
  const now = { ms: AT_MS };
  const recorder = new HistoryRecorder({
    history,
    now: () => now.ms,
    onBatchLost: (error) => lost.push(error),
    onBacklog: () => lost.push('backlog'),
    onCompactionFailed: (error) => lost.push(error),
  });
  const record = (
    status: number,
    {
      key = aKnownKey({ id: 7, accountId: 3 }),
      nowMs = AT_MS,
      refusedBy = undefined as 'minute' | 'day' | 'ban' | undefined,
      minuteUsed = 1,
      dayUsed = 1,
    } = {},
    route: Route = GET_PET,
  ) => {
    const window = { window: 'minute', limit: 1, remaining: 0, resetAtSeconds: 0 } as const;
    const day = { limit: key.perDay, remaining: key.perDay - dayUsed, resetAtSeconds: 0 };
    const decision = refusedBy
      ? { ...window, refusedBy, retryAfterSeconds: 1 }
      : { ...window, minuteUsed, windows: { minute: window, day, nowMs } };
    const rejection = problem('missing_api_key');
    const call = { route, nowMs, key, refusedKey: undefined, rejection, decision };
    recorder.record(call, status === 429 ? { status, error: 'rate_limit_day' } : { status });
  };
  return { recorder, record, now, added, tried, lost, compactions };
}

const away = () => new StoreUnavailableError(new Error('away'));

const someTurns = async () => {
  for (let turn = 0; turn < 500; turn++) await null;
};

afterEach(() => {
  jest.useRealTimers();
});

test('an account is near its limit from more than 80 % of its day on, until that day ends or it gets more', () => {
  const { recorder, record, now } = newRecorder();
  const [free, pro] = [aKnownKey({ accountId: 1 }), aKnownKey({ accountId: 2, plan: 'pro' })];
  record(200, { key: pro, dayUsed: 8_000 });
  record(200, { key: free, dayUsed: 800 });
  expect(recorder.accountsNearLimit()).toBe(0);
  record(200, { key: pro, dayUsed: 8_001 });
  record(200, { key: free, dayUsed: 801 });
  record(429, { key: free, refusedBy: 'day' });
  expect(recorder.accountsNearLimit()).toBe(2);
  record(200, { key: { ...free, perDay: 10_000 }, dayUsed: 802 });
  expect(recorder.accountsNearLimit()).toBe(1);
  now.ms += 12 * HOUR_MS;
  expect(recorder.accountsNearLimit()).toBe(0);
});

test('an API request with a valid key counts once, by its outcome, in its hour, with the most of a minute and the last uses', async () => {
  const { recorder, record, added } = newRecorder();
  for (const status of [200, 201, 304]) record(status, { minuteUsed: 7 });
  record(404, { minuteUsed: 9 });
  record(503);
  record(429, { nowMs: AT_MS + HOUR_MS - 1, refusedBy: 'minute' });
  record(429, { nowMs: AT_MS + 1, refusedBy: 'day' });
  record(429, { refusedBy: 'ban' });
  record(404, { nowMs: AT_MS - 1 }, { ...GET_PET, operation: undefined });
  // The page of a caller's usage.
  record(200, {}, { operation: undefined, isApi: false, allow: [] });
  const rejection = problem('expired_api_key');
  const call = { route: GET_PET, nowMs: AT_MS, key: undefined, decision: undefined, rejection };
  recorder.record({ ...call, refusedKey: undefined }, { status: 401, error: 'invalid_api_key' });
  const refusedKey = aKnownKey({ id: 8, accountId: 3 });
  recorder.record({ ...call, refusedKey }, { status: 429, error: 'rate_limit_minute' });
  recorder.record({ ...call, refusedKey }, { status: 503, error: 'service_unavailable' });
  await recorder[Symbol.asyncDispose]();
  const expired = { acceptedAtMs: 0, refusedAtMs: AT_MS, refusal: 'expired_api_key' };
  expect(added).toMatchObject([
    [
      { startsAtMs: AT_MS - HOUR_MS, operation: 'unknown', clientErrors: 1, lastAtMs: AT_MS - 1 },
      {
        accountId: 3,
        keyId: 7,
        startsAtMs: AT_MS,
        operation: 'getPet',
        served: 3,
        refusedByMinute: 1,
        refusedByDay: 1,
        refusedByBan: 1,
        clientErrors: 1,
        serverErrors: 1,
        busiestMinute: 9,
        lastAtMs: AT_MS + HOUR_MS - 1,
        acceptedAtMs: AT_MS,
        refusedAtMs: AT_MS,
        refusal: 'rate_limit_day',
      },
      // The use of a key that is no longer valid, without counts.
      { keyId: 8, operation: '', clientErrors: 0, ...expired },
    ],
  ]);
});

describe('a store that is unavailable', () => {
  test('gets the same counts again, and later ones in the next batch, until the service stops', async () => {
    const errors = [away(), away()];
    const { recorder, record, added, tried, lost } = newRecorder(errors);
    record(200);
    await recorder.flush();
    record(200);
    record(200);
    await recorder.flush();
    await recorder.flush();
    expect(tried).toEqual([1, 1, 1, 1]);
    expect(added.map(([hour]) => hour?.served)).toEqual([1, 2]);
    expect(lost).toEqual([]);
    errors.push(away());
    record(200);
    await recorder[Symbol.asyncDispose]();
    expect(lost).toEqual([away()]);
  });

  test('loses the oldest hours once there are too many', async () => {
    jest.useFakeTimers();
    const hanging = Promise.withResolvers<Error>();
    const { recorder, record, added, lost } = newRecorder([away(), hanging.promise, away()]);
    record(200, { nowMs: AT_MS - HOUR_MS });
    await recorder.flush();
    for (let id = 1; id <= 100_000; id++) {
      for (const nowMs of [AT_MS, AT_MS + HOUR_MS])
        record(200, { key: aKnownKey({ id, accountId: id }), nowMs });
    }
    jest.advanceTimersByTime(5_000);
    expect(lost).toEqual([]);
    const flushed = recorder.flush();
    await someTurns();
    jest.advanceTimersByTime(5_000);
    hanging.resolve(away());
    await flushed;
    await recorder.flush();
    // One is from the time while the write hung, and the other from its failure.
    expect(lost).toEqual([away(), away()]);
    await recorder[Symbol.asyncDispose]();
    const kept = added.flat().map(({ startsAtMs }) => startsAtMs);
    expect(kept).toHaveLength(100_000);
    expect(new Set(kept)).toEqual(new Set([AT_MS + HOUR_MS]));
  });
});

test('a batch that the store does not accept is lost at once', async () => {
  const { recorder, record, added, lost } = newRecorder([new Error('no such table')]);
  record(200);
  await recorder.flush();
  expect(lost).toEqual([new Error('no such table')]);
  record(404);
  await recorder[Symbol.asyncDispose]();
  expect(added.flat().map(({ served, clientErrors }) => [served, clientErrors])).toEqual([[0, 1]]);
});

describe('while the service runs', () => {
  test('counts are written every five seconds, and those of very many keys every minute', async () => {
    jest.useFakeTimers();
    const { recorder, record, tried } = newRecorder();
    record(200);
    jest.advanceTimersByTime(4_999);
    expect(tried).toEqual([]);
    jest.advanceTimersByTime(1);
    await someTurns();
    expect(tried).toEqual([1]);
    const recordKeys = (count: number) => {
      for (let id = 1; id <= count; id++) record(200, { key: aKnownKey({ id, accountId: id }) });
    };
    recordKeys(5_000);
    jest.advanceTimersByTime(5_000);
    await someTurns();
    recordKeys(5_001);
    jest.advanceTimersByTime(49_999);
    expect(tried).toHaveLength(21);
    jest.advanceTimersByTime(1);
    await recorder.flush();
    expect(tried).toEqual([1, ...Array(40).fill(250), 1]);
    await recorder[Symbol.asyncDispose]();
    record(200);
    jest.advanceTimersByTime(60_000);
    expect(tried).toHaveLength(42);
  });

  test('the history is compacted every minute, and a backlog and failures are reported', async () => {
    jest.useFakeTimers();
    const hanging = Promise.withResolvers<Error>();
    const broken = new Error('broken');
    const errors: Parameters<typeof newRecorder>[0] = [];
    const { recorder, compactions, lost } = newRecorder(errors);
    const nextMinute = async () => {
      jest.advanceTimersByTime(60_000);
      await someTurns();
      return [compactions.length, ...lost];
    };
    expect(await nextMinute()).toEqual([2, 'backlog']);
    expect(await nextMinute()).toEqual([4, 'backlog']);
    errors.push(away(), broken, hanging.promise);
    expect(await nextMinute()).toEqual([5, 'backlog']);
    expect(await nextMinute()).toEqual([6, 'backlog', broken]);
    // Only one write runs at a time.
    for (let i = 0; i < 2; i++) expect(await nextMinute()).toEqual([7, 'backlog', broken]);
    await recorder[Symbol.asyncDispose]();
    hanging.resolve(broken);
    expect(await nextMinute()).toEqual([7, 'backlog', broken]);
  });
});
