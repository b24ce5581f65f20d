import type { RedisClient } from 'bun';
import { BAN_RULES, refusalByBan } from '../domain/ban.ts';
import {
  type Caller,
  type Decision,
  minuteOffsetSeconds,
  secondsUntil,
  standing,
  type Usage,
} from '../domain/rate-limit.ts';
import { penaltyName, usageName } from './key-names.ts';
import take from './take.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SCRIPT = `local RULES = { ${RULES.join(', ')} }\n${take}`;
const SCRIPT_SHA1 = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex');

const REFUSED_BY = [undefined, 'minute', 'day', 'ban'] as const;

/** The counts of a subject in Redis, and the time there. */
export interface Report {
  readonly usage: Usage;
  readonly nowMs: number;
}

/** The counts before Redis went away, and what an instance admitted since. */
export interface Settlement {
  readonly reported: Usage;
  readonly admitted: Usage;
}

/** `fixedMs` replaces Redis's clock in tests. */
export async function runTake(
  client: RedisClient,
  mode: 'take' | 'peek',
  { subject, limits, key }: Caller,
  sentAtMs: number,
  fixedMs: number | undefined,
): Promise<Report & { readonly decision: Decision }> {
  const penalty = key === undefined ? usageName(subject) : penaltyName(subject, key.id);
  const values = await evaluate(client, mode, subject, penalty, fixedMs, [
    limits.perMinute,
    limits.perDay,
    key === undefined ? '' : key.unbannedAtMs,
    sentAtMs,
  ]);
  const report = toReport(values);
  const { usage, nowMs } = report;
  const [by = 0, bannedUntilSeconds = 0, banBegan = 0] = values;
  const refusedBy = REFUSED_BY[by];
  const current = standing(usage, limits);
  if (refusedBy === undefined) return { ...report, decision: current };
  if (refusedBy === 'ban') {
    const refusal = refusalByBan({ bannedUntilSeconds }, current, nowMs);
    return { ...report, decision: banBegan === 1 ? { ...refusal, banBegan: true } : refusal };
  }
  const retryAfterSeconds = secondsUntil(current.resetAtSeconds, nowMs);
  return { ...report, decision: { ...current, refusedBy, retryAfterSeconds } };
}

/** Adds what was admitted to the counts of its windows, if those are still the current ones. */
export async function runSettle(
  client: RedisClient,
  subject: string,
  { admitted, reported }: Settlement,
  fixedMs: number | undefined,
): Promise<Report> {
  const words = [admitted, reported].flatMap((usage) => [
    usage.minuteStartSeconds,
    usage.minuteUsed,
    usage.dayStartSeconds,
    usage.dayUsed,
  ]);
  return toReport(await evaluate(client, 'settle', subject, usageName(subject), fixedMs, words));
}

/** Sends the whole script again when the server was restarted or flushed and lost it. */
async function evaluate(
  client: RedisClient,
  mode: 'take' | 'peek' | 'settle',
  subject: string,
  penalty: string,
  fixedMs: number | undefined,
  rest: readonly (number | string)[],
): Promise<number[]> {
  const names = ['2', usageName(subject), penalty];
  const offset = String(minuteOffsetSeconds(subject));
  const words = [...names, mode, offset, String(fixedMs ?? ''), ...rest.map(String)];
  try {
    return await client.send('EVALSHA', [SCRIPT_SHA1, ...words]);
  } catch (error) {
    if (!String((error as Error).message).includes('NOSCRIPT')) throw error;
    return client.send('EVAL', [SCRIPT, ...words]);
  }
}

function toReport(values: readonly number[]): Report {
  const [nowMs = 0, minuteStartSeconds = 0, minuteUsed = 0] = values.slice(3);
  const [dayStartSeconds = 0, dayUsed = 0] = values.slice(6);
  return { nowMs, usage: { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed } };
}
