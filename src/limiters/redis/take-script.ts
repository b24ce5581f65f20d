import { BAN_RULES, refusalByBan } from '../../domain/ban.ts';
import {
  type Caller,
  type Decision,
  minuteOffsetSeconds,
  quotaOf,
  secondsUntil,
  type Usage,
} from '../../domain/rate-limit.ts';
import type { NamedLink } from './key-names.ts';
import take from './take.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SCRIPT = `local RULES = { ${RULES.join(', ')} }\n${take}`;
const SCRIPT_SHA1 = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex');

const REFUSED_BY = [undefined, 'minute', 'day', 'ban'] as const;

/** The counts of a subject in Redis. */
export interface Counts {
  readonly usage: Usage;
  /** When Redis created them, in microseconds. Different after Redis lost its data. */
  readonly createdAt: number;
}

/** The counts, and the time in Redis. */
export interface Report extends Counts {
  readonly nowMs: number;
}

/** What an instance admitted while Redis was away, and the counts of the same windows before. */
export interface Settlement {
  readonly admitted: Usage;
  readonly known: Counts;
}

/**
 * `known` are counts that Redis reported before it may have lost them. `fixedMs` replaces Redis's
 * clock in tests and on staging.
 */
export async function runTake(
  redis: NamedLink,
  mode: 'take' | 'peek',
  caller: Caller,
  known: Counts | undefined,
  sentAtMs: number,
  fixedMs: number | undefined,
): Promise<Report & { readonly decision: Decision }> {
  const { perMinute, perDay } = caller.limits;
  const numbers = [perMinute, perDay, caller.key?.unbannedAtMs, sentAtMs];
  const values = await evaluate(redis, mode, caller, known, fixedMs, numbers);
  const report = toReport(values);
  const decision = toDecision(report, caller, values);
  return { ...report, decision };
}

/** Adds what was admitted to the counts of its windows, if those are still the current ones. */
export async function runSettle(
  redis: NamedLink,
  subject: string,
  { admitted, known }: Settlement,
  fixedMs: number | undefined,
): Promise<Report> {
  const numbers = [admitted.minuteUsed, admitted.dayUsed, undefined, undefined];
  return toReport(await evaluate(redis, 'settle', { subject }, known, fixedMs, numbers));
}

async function evaluate(
  { link, names }: NamedLink,
  mode: 'take' | 'peek' | 'settle',
  { subject, key }: Pick<Caller, 'subject' | 'key'>,
  known: Counts | undefined,
  fixedMs: number | undefined,
  numbers: readonly (number | undefined)[],
): Promise<number[]> {
  const name = names.usage(subject);
  const words = [SCRIPT_SHA1, key === undefined ? '1' : '2', name];
  if (key !== undefined) words.push(names.penalty(subject, key.id));
  words.push(mode, String(minuteOffsetSeconds(subject)), String(fixedMs ?? ''));
  for (const number of numbers) words.push(String(number ?? ''));
  if (known !== undefined) {
    const { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed } = known.usage;
    const counts = [minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed, known.createdAt];
    words.push(...counts.map(String));
  }
  try {
    return await link.send(name, 'EVALSHA', words);
  } catch (error) {
    // The server was restarted or flushed and lost the script.
    if (!String((error as Error).message).includes('NOSCRIPT')) throw error;
    return link.send(name, 'EVAL', words.with(0, SCRIPT));
  }
}

function toReport(values: readonly number[]): Report {
  const [nowMs = 0, minuteStartSeconds = 0, minuteUsed = 0, dayStartSeconds = 0] = values;
  const [dayUsed = 0, createdAt = 0] = values.slice(4);
  const usage = { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed };
  return { usage, createdAt, nowMs };
}

function toDecision(
  { usage, nowMs }: Report,
  { limits }: Caller,
  values: readonly number[],
): Decision {
  const current = quotaOf(usage, limits);
  const refusedBy = REFUSED_BY[values[6] ?? 0];
  if (refusedBy === undefined) return { ...current, minuteUsed: usage.minuteUsed };
  if (refusedBy !== 'ban') {
    const retryAfterSeconds = secondsUntil(current.resetAtSeconds, nowMs);
    return { ...current, refusedBy, retryAfterSeconds };
  }
  const refusal = refusalByBan({ bannedUntilSeconds: values[7] ?? 0 }, current, nowMs);
  return values[8] === undefined ? refusal : { ...refusal, banBegan: true };
}
