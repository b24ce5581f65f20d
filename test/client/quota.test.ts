import { describe, expect, test } from 'bun:test';
import { predictedRateLimitError, QuotaTracker } from '../../packages/client/src/quota.ts';

function headers(remaining: number, resetAtSeconds = 60, limit = 60) {
  return { limit, remaining, resetAtSeconds, resetInMs: resetAtSeconds * 1000 };
}

/** After responses to requests that were in flight together. */
function quotaAfter(...received: Parameters<QuotaTracker['update']>[0][]): QuotaTracker {
  const quota = new QuotaTracker();
  const { state } = quota;
  for (const headers of received) quota.update(headers, 0, state);
  return quota;
}

describe('the remaining quota', () => {
  test('is 0 before the first response', () => {
    expect(quotaAfter().remaining).toBe(0);
    expect(quotaAfter().windowAt(0)).toBeUndefined();
  });

  test('is the smallest number of a window, in whatever order responses arrive', () => {
    expect(quotaAfter(headers(7), headers(5), headers(6)).remaining).toBe(5);
  });

  test('is the number of the later window, in whatever order responses arrive', () => {
    expect(quotaAfter(headers(0, 60), headers(59, 120)).remaining).toBe(59);
    expect(quotaAfter(headers(59, 120), headers(0, 60)).remaining).toBe(59);
  });

  test('is the new number after a change of plan', () => {
    expect(quotaAfter(headers(3, 60, 60), headers(240, 60, 300)).remaining).toBe(240);
  });

  test('is the newest number if it was sent after the last one arrived, whatever it says', () => {
    const quota = quotaAfter(headers(5, 86_400, 1_000));
    quota.update(headers(59, 60, 60), 0, quota.state);
    expect(quota.remaining).toBe(59);
  });

  test('is one less for every response that is lost or has no headers', () => {
    const quota = quotaAfter(headers(7));
    quota.succeedWithoutHeaders();
    quota.abandon();
    expect(quota.remaining).toBe(5);
  });

  test('excludes abandoned requests until a later request gets a response', () => {
    const quota = quotaAfter(headers(7));
    const before = quota.state;
    quota.abandon();
    quota.update(headers(6), 0, before);
    expect(quota.remaining).toBe(5);
    quota.update(headers(4), 0, quota.state);
    expect(quota.remaining).toBe(4);
    quota.update(headers(5), 0, before);
    expect(quota.remaining).toBe(4);
  });

  test('is unlimited if the service sends no headers', () => {
    const quota = quotaAfter();
    quota.succeedWithoutHeaders();
    quota.abandon();
    expect(quota.remaining).toBe(Infinity);
    quota.update(headers(7), 0, quota.state);
    expect(quota.remaining).toBe(7);
  });

  test('belongs to its window until the moment that it resets', () => {
    expect(quotaAfter(headers(0)).windowAt(59_999)?.resetMs).toBe(60_000);
    expect(quotaAfter(headers(0)).windowAt(60_000)).toBeUndefined();
  });
});

describe('a predicted rate limit error', () => {
  const midnight = Date.parse('2026-11-16T00:00:00Z') / 1000;
  test.each([
    ['in 61 seconds', midnight - 3600, 61, 'rate_limit_minute'],
    ['in two hours, but not at midnight', midnight - 3600, 7200, 'rate_limit_day'],
    ['at midnight, in two hours', midnight, 7200, 'rate_limit_day'],
    ['at midnight, in 20 seconds', midnight, 20, 'rate_limit_day'],
  ])('with a reset %s names the likely window in its code and message', (...row) => {
    const [, resetAtSeconds, seconds, code] = row;
    const quota = quotaAfter(headers(0, resetAtSeconds, 7));
    const known = quota.windowAt(0) as NonNullable<ReturnType<QuotaTracker['windowAt']>>;
    const error = predictedRateLimitError('getPet', seconds, known);
    const resetAt = new Date(resetAtSeconds * 1000);
    expect(error).toMatchObject({ code, resetAt, limit: 7, retryAfterSeconds: seconds });
    const window = code.replace('rate_limit_', '');
    expect(error.message).toStartWith(
      `The limit of 7 requests per ${window} is used up until ${resetAt.toISOString()}.`,
    );
  });
});
