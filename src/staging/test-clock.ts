import { type Problem, problem } from '../contract/errors.ts';
import { TEST_TIME_HEADER, TEST_TIME_RULE } from '../contract/staging.ts';
import type { Account } from '../domain/account.ts';
import type { StagingStore } from '../domain/staging.ts';

/** RFC 3339. A leap second is missing: none is announced for the future. */
const TIME =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d+))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** The rate limit headers hold times until 2106, and a clock runs on. */
const LATEST_MS = Date.parse('2100-01-01T00:00:00Z');

/** Puts the clock of an account where a header says. Returns what is wrong with that time. */
export async function moveClock(
  store: StagingStore,
  account: Account,
  testTime: string,
  nowMs: number,
): Promise<Problem | undefined> {
  const to = parseTestTime(testTime);
  if (to === undefined) return wrongTime(TEST_TIME_RULE);
  if (to === 'now') {
    await store.resetAccount(account.id, nowMs);
    return undefined;
  }
  const isThere = account.clockPutToMs === to || (await store.putClock(account.id, to, nowMs));
  return isThere ? undefined : wrongTime(notBefore(account, nowMs));
}

/** Undefined for a value that breaks the rule. */
export function parseTestTime(text: string): number | 'now' | undefined {
  if (text === 'now') return text;
  const [, day = '', time, fraction = '', zone = ''] = TIME.exec(text) ?? [];
  // `Date.parse` would read 31 February as 3 March.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined;
  const ms = fraction.padEnd(3, '0').slice(0, 3);
  const at = Date.parse(`${day}T${time}.${ms}${zone.toUpperCase()}`);
  return at < LATEST_MS ? at : undefined;
}

function wrongTime(rule: string): Problem {
  return problem('invalid_parameter', `header ${TEST_TIME_HEADER}`, rule);
}

function notBefore({ clockOffsetMs }: Account, nowMs: number): string {
  const time = new Date(nowMs + clockOffsetMs).toISOString();
  return clockOffsetMs === 0
    ? `must not be before the present, which is ${time}`
    : `must not be before the test time of the account, which is ${time}; ` +
        `send ${TEST_TIME_HEADER}: now to start over from the real time`;
}
