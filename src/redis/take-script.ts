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
  const usageKey = usageName(subject);
  const values = await evaluate(client, [
    '2',
    usageKey,
    key === undefined ? usageKey : penaltyName(subject, key.id),
    mode,
    String(minuteOffsetSeconds(subject)),
    String(fixedMs ?? ''),
    String(limits.perMinute),
    String(limits.perDay),
    String(key?.unbannedAtMs ?? ''),
    String(sentAtMs),
  ]);
  const { usage, nowMs } = toReport(values);
  const [by = 0, bannedUntilSeconds = 0, banBegan = 0] = values;
  const refusedBy = REFUSED_BY[by];
  const current = standing(usage, limits);
  if (refusedBy === undefined) return { usage, nowMs, decision: current };
  if (refusedBy === 'ban') {
    const refusal = refusalByBan({ bannedUntilSeconds }, current, nowMs);
    return { usage, nowMs, decision: banBegan === 1 ? { ...refusal, banBegan: true } : refusal };
  }
  const retryAfterSeconds = secondsUntil(current.resetAtSeconds, nowMs);
  return { usage, nowMs, decision: { ...current, refusedBy, retryAfterSeconds } };
}

/** Adds what was admitted to the counts of its windows, if those are still the current ones. */
export async function runSettle(
  client: RedisClient,
  subject: string,
  { admitted, reported }: Settlement,
  fixedMs: number | undefined,
): Promise<Report> {
  const usageKey = usageName(subject);
  const values = await evaluate(client, [
    '2',
    usageKey,
    usageKey,
    'settle',
    String(minuteOffsetSeconds(subject)),
    String(fixedMs ?? ''),
    ...toWords(admitted),
    ...toWords(reported),
  ]);
  return toReport(values);
}

/** Sends the whole script again when the server was restarted or flushed and lost it. */
async function evaluate(client: RedisClient, words: readonly string[]): Promise<number[]> {
  try {
    return await client.send('EVALSHA', [SCRIPT_SHA1, ...words]);
  } catch (error) {
    if (!String((error as Error).message).includes('NOSCRIPT')) throw error;
    return client.send('EVAL', [SCRIPT, ...words]);
  }
}

function toWords({ minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed }: Usage): string[] {
  return [minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed].map(String);
}

function toReport(values: readonly number[]): Report {
  const [, , , nowMs = 0, minuteStartSeconds = 0, minuteUsed = 0, dayStartSeconds = 0] = values;
  const dayUsed = values[7] ?? 0;
  return { nowMs, usage: { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed } };
}
