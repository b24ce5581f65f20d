import { BAN_RULES, type Penalty, refusalByBan } from '../../domain/ban.ts';
import {
  type Caller,
  type Decision,
  minuteOffsetSeconds,
  quotaOf,
  secondsUntil,
  type Usage,
} from '../../domain/rate-limit.ts';
import type { SavedUsage } from '../../domain/usage-journal.ts';
import { type RedisLink, within } from './server.ts';
import script from './take.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SCRIPT = `local RULES = { ${RULES.join(', ')} }\n${script}`;
const SCRIPT_SHA1 = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex');

const REFUSED_BY = [undefined, 'minute', 'day', 'ban'] as const;

const READ_MS = 2_000;

/** The usage of an account or address in Redis. */
export interface Counts {
  readonly usage: Usage;
  /** When Redis created it, in microseconds. Different after Redis lost its data. */
  readonly createdAt: number;
}

/** The counts, and the time in Redis. */
export interface Report extends Counts {
  readonly nowMs: number;
}

/** A request to decide. */
interface Take {
  /** `peek` counts nothing. */
  readonly mode: 'take' | 'peek';
  readonly caller: Caller;
  /** Counts that Redis reported before it may have lost them. */
  readonly known?: Counts | undefined;
  readonly sentAtMs: number;
  /** Replaces Redis's clock, in tests and for an account with a test clock. */
  readonly fixedMs?: number | undefined;
}

/** Requests admitted while Redis was away, and the counts of the same windows before. */
export interface Settlement {
  readonly subject: string;
  readonly admitted: Usage;
  readonly known: Counts;
}

/**
 * The names of a store in Redis. Stores that share a Redis have different ids. All names of an account
 * share a hash tag, so that a cluster keeps them on one node.
 */
export function usageName(storeId: string, subject: string): string {
  return `animal-store:${storeId}:{${subject}}:usage`;
}

export function penaltyName(storeId: string, subject: string, keyId: number): string {
  return `animal-store:${storeId}:{${subject}}:key:${keyId}`;
}

/** The counts of one store, over one connection. */
export class RedisCounts implements SavedUsage {
  readonly link: RedisLink;
  readonly #storeId: string;

  constructor(link: RedisLink, storeId: string) {
    this.link = link;
    this.#storeId = storeId;
  }

  async decide(take: Take): Promise<Report & { readonly decision: Decision }> {
    const { mode, caller, known, sentAtMs, fixedMs } = take;
    const { perMinute, perDay, unbannedAtMs } = caller;
    const numbers = [perMinute, perDay, unbannedAtMs, sentAtMs];
    const values = await this.#run(mode, caller, known, fixedMs, numbers);
    const report = toReport(values);
    return { ...report, decision: toDecision(report, caller, values) };
  }

  /** Adds admitted requests to the counts of their windows, if those are still the current ones. */
  async settle(settlement: Settlement, fixedMs: number | undefined): Promise<Report> {
    const { admitted, known } = settlement;
    const numbers = [admitted.minuteUsed, admitted.dayUsed, undefined, undefined];
    return toReport(await this.#run('settle', settlement, known, fixedMs, numbers));
  }

  async getUsage(subject: string): Promise<Usage | undefined> {
    const saved = await this.#read(usageName(this.#storeId, subject));
    if (saved['day_start'] === undefined) return undefined;
    return {
      minuteStartSeconds: Number(saved['minute_start']),
      minuteUsed: Number(saved['minute_used']),
      dayStartSeconds: Number(saved['day_start']),
      dayUsed: Number(saved['day_used']),
    };
  }

  async getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
    const { penalty } = await this.#read(penaltyName(this.#storeId, subject, keyId));
    if (penalty === undefined) return undefined;
    try {
      const saved: Penalty = JSON.parse(penalty);
      // Lua writes an empty list as an empty object.
      return { ...saved, strikes: Object.values(saved.strikes) };
    } catch {
      return undefined;
    }
  }

  async removeUsage(subject: string, keyIds: readonly number[]): Promise<void> {
    const name = usageName(this.#storeId, subject);
    const penalties = keyIds.map((id) => penaltyName(this.#storeId, subject, id));
    await within(READ_MS, this.link.send(name, 'DEL', [name, ...penalties]));
  }

  async #run(
    mode: 'take' | 'peek' | 'settle',
    { subject, id }: Pick<Caller, 'subject' | 'id'>,
    known: Counts | undefined,
    fixedMs: number | undefined,
    numbers: readonly (number | undefined)[],
  ): Promise<number[]> {
    const name = usageName(this.#storeId, subject);
    const words = [SCRIPT_SHA1, id === undefined ? '1' : '2', name];
    if (id !== undefined) words.push(penaltyName(this.#storeId, subject, id));
    words.push(mode, String(minuteOffsetSeconds(subject)), String(fixedMs ?? ''));
    for (const number of numbers) words.push(String(number ?? ''));
    if (known !== undefined) {
      const { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed } = known.usage;
      const counts = [minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed, known.createdAt];
      words.push(...counts.map(String));
    }
    try {
      return await this.link.send(name, 'EVALSHA', words);
    } catch (error) {
      // The server was restarted or flushed and lost the script.
      if (!isErrorResponse(error, 'NOSCRIPT')) throw error;
      return this.link.send(name, 'EVAL', words.with(0, SCRIPT));
    }
  }

  async #read(name: string): Promise<Record<string, string>> {
    try {
      return await within(READ_MS, this.link.send(name, 'HGETALL', [name]));
    } catch (error) {
      // The next request deletes the value and counts from 0.
      if (isErrorResponse(error, 'WRONGTYPE')) return {};
      throw error;
    }
  }
}

function isErrorResponse(error: unknown, code: string): boolean {
  return String((error as Error).message).includes(code);
}

function toReport(values: readonly number[]): Report {
  const [nowMs = 0, minuteStartSeconds = 0, minuteUsed = 0, dayStartSeconds = 0] = values;
  const [dayUsed = 0, createdAt = 0] = values.slice(4);
  const usage = { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed };
  return { usage, createdAt, nowMs };
}

function toDecision({ usage, nowMs }: Report, caller: Caller, values: readonly number[]): Decision {
  const current = quotaOf(usage, caller);
  const refusedBy = REFUSED_BY[values[6] ?? 0];
  if (refusedBy === undefined) return { ...current, minuteUsed: usage.minuteUsed };
  if (refusedBy !== 'ban') {
    const retryAfterSeconds = secondsUntil(current.resetAtSeconds, nowMs);
    return { ...current, refusedBy, retryAfterSeconds };
  }
  const refusal = refusalByBan({ bannedUntilSeconds: values[7] ?? 0 }, current, nowMs);
  return values[8] === undefined ? refusal : { ...refusal, banBegan: true };
}
