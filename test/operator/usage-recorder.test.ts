import { afterEach, describe, expect, jest, test } from 'bun:test';
import { toKnownKey } from '../../src/domain/api-key.ts';
import { StoreUnavailableError } from '../../src/domain/error.ts';
import type { HistoryBatch } from '../../src/domain/operator/usage-history.ts';
import { minuteOffsetSeconds } from '../../src/domain/rate-limit.ts';
import { UsageRecorder } from '../../src/operator/usage-recorder.ts';
import { anAccount } from '../support/account.ts';
import { anHour, slots } from '../support/hour-of-use.ts';

const HOUR_MS = 3_600_000;
const AT_MS = Date.UTC(2026, 10, 15, 12);

function keyOf(id: number, accountId = id) {
  const key = { id, accountId, label: '', createdAtMs: 0, expiresAtMs: null, revokedAtMs: null };
  return toKnownKey({ ...key, unbannedAtMs: 0, successorId: null }, anAccount({ id: accountId }));
}

/** A recorder whose store fails with the next of these errors, if there is one. */
function newRecorder(errors: (Error | undefined)[] = [], maxHours?: number) {
  const added: HistoryBatch[] = [];
  const tried: number[] = [];
  const lost: unknown[] = [];
  const compactions: number[] = [];
  const history = {
    async add(batch: HistoryBatch) {
      tried.push(batch.number);
      const error = errors.shift();
      if (error !== undefined) throw error;
      added.push(batch);
    },
    async compact(nowMs: number) {
      compactions.push(nowMs);
    },
  };
  const recorder = new UsageRecorder({
    ...{ history, now: () => AT_MS, writer: 'w', ...(maxHours !== undefined && { maxHours }) },
    onBatchLost: (error) => lost.push(error),
    onCompactionFailed: (error) => lost.push(error),
  });
  const record = (
    status: number,
    {
      key = keyOf(1),
      nowMs = AT_MS,
      refusedBy = undefined as 'minute' | 'day' | 'ban' | undefined,
    } = {},
    route: { operation?: string } = { operation: 'getPet' },
  ) => {
    const standing = { window: 'minute', limit: 1, remaining: 0, resetAtSeconds: 0 } as const;
    const decision = refusedBy ? { ...standing, refusedBy, retryAfterSeconds: 1 } : standing;
    recorder.record({ route, nowMs, key, decision }, { status });
  };
  return { recorder, record, added, tried, lost, compactions };
}

const away = () => new StoreUnavailableError(new Error('away'));

describe('a request', () => {
  test('counts once, by its outcome, in the hour and the minute of its limit', async () => {
    const { recorder, record, added } = newRecorder();
    const offset = minuteOffsetSeconds('account:1');
    expect(offset).toBeGreaterThan(0);
    const nextMinuteMs = AT_MS + offset * 1_000;
    for (const status of [200, 201, 304]) record(status);
    record(404, { nowMs: nextMinuteMs - 1 });
    record(503, { nowMs: nextMinuteMs });
    record(429, { nowMs: AT_MS + HOUR_MS - 1, refusedBy: 'minute' });
    record(429, { nowMs: AT_MS + 1, refusedBy: 'day' });
    record(429, { refusedBy: 'ban' });
    record(404, { nowMs: AT_MS - 1 }, {});
    await recorder[Symbol.asyncDispose]();
    expect(added).toEqual([
      {
        writer: 'w',
        number: 1,
        hours: [
          anHour({
            ...{ hourMs: AT_MS - HOUR_MS, operation: 'unknown', clientErrors: 1 },
            ...{ slots: slots({ 60: 1 }), firstAtMs: AT_MS - 1, lastAtMs: AT_MS - 1 },
          }),
          anHour({
            ...{ hourMs: AT_MS, served: 3, refusedByMinute: 1, refusedByDay: 1, refusedByBan: 1 },
            ...{ clientErrors: 1, serverErrors: 1, slots: slots({ 0: 6, 1: 1, 60: 1 }) },
            ...{ firstAtMs: AT_MS, lastAtMs: AT_MS + HOUR_MS - 1 },
          }),
        ],
      },
    ]);
  });

  test('without a valid key is not part of the history', async () => {
    const { recorder, tried } = newRecorder();
    const call = { route: { operation: 'getPet' }, nowMs: AT_MS, key: undefined };
    recorder.record({ ...call, decision: undefined }, { status: 401 });
    await recorder[Symbol.asyncDispose]();
    expect(tried).toEqual([]);
  });
});

describe('a store that is away', () => {
  test('gets the same batch again with the same number, and later counts in the next', async () => {
    const { recorder, record, added, tried, lost } = newRecorder([away(), away()]);
    record(200);
    await recorder.flush();
    record(200);
    record(200);
    await recorder.flush();
    await recorder.flush();
    expect(tried).toEqual([1, 1, 1, 2]);
    expect(added.map(({ number, hours }) => [number, hours[0]?.served])).toEqual([
      [1, 1],
      [2, 2],
    ]);
    await recorder[Symbol.asyncDispose]();
    expect(lost).toEqual([]);
  });

  test('loses the oldest batch once there are too many hours', async () => {
    const { recorder, record, added, lost } = newRecorder(Array.from({ length: 3 }, away), 2);
    for (const id of [1, 2, 3]) {
      record(200, { key: keyOf(id) });
      await recorder.flush();
    }
    expect(lost).toHaveLength(1);
    await recorder[Symbol.asyncDispose]();
    expect(added.flatMap(({ hours }) => hours.map(({ keyId }) => keyId))).toEqual([2, 3]);
  });

  test('loses the oldest hours of all keys before newer ones of any', async () => {
    const { recorder, record, added } = newRecorder([away(), away()], 1_000);
    record(200, { nowMs: AT_MS - HOUR_MS });
    await recorder.flush();
    for (let id = 1; id <= 1_000; id++) {
      for (const nowMs of [AT_MS, AT_MS + HOUR_MS]) record(200, { key: keyOf(id), nowMs });
    }
    await recorder.flush();
    await recorder[Symbol.asyncDispose]();
    const kept = added.flatMap(({ hours }) => hours.map(({ hourMs }) => hourMs));
    expect(kept).toEqual(Array(1_000).fill(AT_MS + HOUR_MS));
  });

  test('does not keep the service from stopping, and what is lost is reported', async () => {
    const { recorder, record, tried, lost } = newRecorder([away(), away()]);
    record(200);
    await recorder.flush();
    record(200);
    await recorder[Symbol.asyncDispose]();
    expect(tried).toEqual([1, 1]);
    expect(lost).toEqual([away(), away()]);
  });
});

test('a batch that the store does not accept is lost at once', async () => {
  const { recorder, record, added, lost } = newRecorder([new Error('no such table')]);
  record(200);
  await recorder.flush();
  expect(lost).toEqual([new Error('no such table')]);
  record(404);
  await recorder[Symbol.asyncDispose]();
  expect(added.map(({ number }) => number)).toEqual([2]);
});

test('more hours than fit into a batch are written in several', async () => {
  const { recorder, record, added } = newRecorder();
  for (let id = 1; id <= 2_500; id++) record(200, { key: keyOf(id) });
  await recorder[Symbol.asyncDispose]();
  expect(added.map(({ number, hours }) => [number, hours.length])).toEqual([
    [1, 1_000],
    [2, 1_000],
    [3, 500],
  ]);
});

describe('while the service runs', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('counts are written every five seconds, and those of very many keys every minute', async () => {
    jest.useFakeTimers();
    const { recorder, record, tried } = newRecorder();
    record(200);
    jest.advanceTimersByTime(4_999);
    expect(tried).toEqual([]);
    jest.advanceTimersByTime(1);
    await recorder.flush();
    expect(tried).toEqual([1]);
    for (let id = 1; id <= 5_001; id++) record(200, { key: keyOf(id) });
    jest.advanceTimersByTime(54_999);
    expect(tried).toEqual([1]);
    jest.advanceTimersByTime(1);
    await recorder.flush();
    expect(tried).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await recorder[Symbol.asyncDispose]();
  });

  test('the history is compacted a minute after the start, and every hour', async () => {
    jest.useFakeTimers();
    const { recorder, compactions } = newRecorder();
    jest.advanceTimersByTime(59_999);
    expect(compactions).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(compactions).toEqual([AT_MS]);
    jest.advanceTimersByTime(3_600_000);
    expect(compactions).toEqual([AT_MS, AT_MS]);
    await recorder[Symbol.asyncDispose]();
  });
});
