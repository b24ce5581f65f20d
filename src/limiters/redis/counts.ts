import { BAN_RULES, type Penalty, refusalByBan } from '../../domain/ban.ts';
import type { SavedCounts } from '../../domain/counts-journal.ts';
import {
  type Caller,
  type Counts,
  type Decision,
  minuteOffsetSeconds,
  quotaOf,
  secondsUntil,
} from '../../domain/rate-limit.ts';
import { perTurn } from './per-turn.ts';
import { type RedisLink, within } from './server.ts';
import script from './take.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SCRIPT = `local RULES = { ${RULES.join(', ')} }\n${script}`;
const SCRIPT_SHA1 = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex');

const REFUSED_BY = [undefined, 'minute', 'day', 'ban'] as const;

const READ_MS = 2_000;

const MAX_DATE_SECONDS = 8.64e12;

/** Redis serves nobody else while a script runs. */
const MAX_REQUESTS_PER_RUN = 250;

/** The counts of an account or address in Redis. */
export interface StoredCounts {
  readonly counts: Counts;
  /** When Redis created it, or first used it after a restart, in microseconds. */
  readonly createdAt: number;
}

export const NO_COUNTS: StoredCounts = {
  counts: { minuteStartSeconds: 0, minuteUsed: 0, dayStartSeconds: 0, dayUsed: 0 },
  createdAt: 0,
};

/** The counts, and the time in Redis. */
export interface Report extends StoredCounts {
  readonly nowMs: number;
}

/** A request to decide. */
export interface Take {
  readonly caller: Caller;
  readonly sentAtMs: number;
  /** Replaces Redis's clock, in tests and for an account with a test clock. */
  readonly fixedMs?: number | undefined;
}

/** Requests admitted while Redis was away, and the last counts that it reported, without these. */
export interface Settlement {
  readonly subject: string;
  readonly admitted: Counts;
  readonly known: StoredCounts;
}

/** The name under which instances announce that they have settlements left. */
const SETTLING = 'settling';

/**
 * The name of an account or address in Redis. Stores that share a Redis have different ids. A hash tag
 * chooses the node of a cluster, so that it depends on the account alone.
 */
export function countsName(storeId: string, subject: string): string {
  return `animal-store:${storeId}:{${subject}}`;
}

/** What the script reads, in JSON. A request to settle has `known` and `admitted`, one to decide the rest. */
interface ScriptRequest {
  readonly mode: 'take' | 'settle' | 'announce';
  readonly minuteOffset?: number;
  readonly fixedMs?: number | undefined;
  readonly known?: StoredCounts;
  readonly admitted?: Counts;
  readonly perMinute?: number;
  readonly perDay?: number;
  /** Both are absent for an address. */
  readonly keyId?: number | undefined;
  readonly unbannedAtMs?: number | undefined;
  /** On Redis's clock. */
  readonly sentAtMs?: number;
}

interface Job {
  readonly name: string;
  readonly request: ScriptRequest;
}

/** The counts of one store, over one connection. */
export class RedisCounts implements SavedCounts {
  readonly link: RedisLink;
  readonly #storeId: string;
  /** A script can only use names of one slot, so each slot has its turns. */
  readonly #turns = new Map<number, (job: Job) => Promise<number[]>>();

  constructor(link: RedisLink, storeId: string) {
    this.link = link;
    this.#storeId = storeId;
  }

  async decide(take: Take): Promise<{ report: Report; decision: Decision }> {
    const { caller, sentAtMs, fixedMs } = take;
    const values = await this.#run(caller.subject, {
      mode: 'take',
      minuteOffset: minuteOffsetSeconds(caller.subject),
      fixedMs,
      sentAtMs,
      perMinute: caller.perMinute,
      perDay: caller.perDay,
      keyId: caller.id,
      unbannedAtMs: caller.unbannedAtMs,
    });
    const report = toReport(values);
    return { report, decision: toDecision(report, caller, values) };
  }

  /** Adds admitted requests to the counts of their windows, if those are still the current ones. */
  async settle(settlement: Settlement, fixedMs?: number): Promise<Report> {
    const { subject, admitted, known } = settlement;
    const minuteOffset = minuteOffsetSeconds(subject);
    const request = { mode: 'settle', minuteOffset, fixedMs, known, admitted } as const;
    return toReport(await this.#run(subject, request));
  }

  /** Tells all instances that one has settlements left, for two seconds. */
  async announceSettling(): Promise<void> {
    await this.#run(SETTLING, { mode: 'announce' });
  }

  async isAnySettling(): Promise<boolean> {
    return SETTLING in (await this.#read(countsName(this.#storeId, SETTLING)));
  }

  async getCounts(subject: string): Promise<Counts | undefined> {
    const saved = await this.#read(countsName(this.#storeId, subject));
    if (saved['day_start'] === undefined) return undefined;
    return {
      minuteStartSeconds: countOf(saved['minute_start']),
      minuteUsed: countOf(saved['minute_used']),
      dayStartSeconds: countOf(saved['day_start']),
      dayUsed: countOf(saved['day_used']),
    };
  }

  async getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
    const fields = await this.#read(countsName(this.#storeId, subject));
    const penalty = fields[`penalty:${keyId}`];
    if (penalty === undefined) return undefined;
    try {
      const { strikes, ...saved }: Penalty = JSON.parse(penalty);
      const numbers = Object.entries(saved).map(([name, value]) => [name, countOf(value)]);
      // Lua writes an empty list as an empty object.
      return { ...Object.fromEntries(numbers), strikes: Object.values(strikes).map(countOf) };
    } catch {
      return undefined;
    }
  }

  async removeCounts(subject: string): Promise<void> {
    const name = countsName(this.#storeId, subject);
    await within(READ_MS, this.link.send(name, 'DEL', [name]));
  }

  /** Requests of one turn share a script, which saves a third of the CPU time of Redis. */
  #run(subject: string, request: ScriptRequest): Promise<number[]> {
    const name = countsName(this.#storeId, subject);
    const slot = this.link.slotOf(name);
    let turn = this.#turns.get(slot);
    if (turn === undefined) {
      turn = perTurn((jobs) => this.#runScript(jobs), MAX_REQUESTS_PER_RUN);
      this.#turns.set(slot, turn);
    }
    return turn({ name, request });
  }

  async #runScript(jobs: readonly Job[]): Promise<number[][]> {
    const names = jobs.map(({ name }) => name);
    const requests = JSON.stringify(jobs.map(({ request }) => request));
    const words = [SCRIPT_SHA1, String(names.length), ...names, requests];
    const [name = ''] = names;
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

/** Drops what is not a count, or not a time that can be shown. */
function countOf(value: unknown): number {
  const count = Number(value);
  return Number.isInteger(count) && count >= 0 && count <= MAX_DATE_SECONDS ? count : 0;
}

function isErrorResponse(error: unknown, code: string): boolean {
  return String((error as Error).message).includes(code);
}

function toReport(values: readonly number[]): Report {
  const [nowMs = 0, minuteStartSeconds = 0, minuteUsed = 0, dayStartSeconds = 0] = values;
  const [dayUsed = 0, createdAt = 0] = values.slice(4);
  const counts = { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed };
  return { counts, createdAt, nowMs };
}

function toDecision(
  { counts, nowMs }: Report,
  caller: Caller,
  values: readonly number[],
): Decision {
  const current = quotaOf(counts, caller);
  const refusedBy = REFUSED_BY[values[6] ?? 0];
  if (refusedBy === undefined) return { ...current, minuteUsed: counts.minuteUsed };
  if (refusedBy !== 'ban') {
    const retryAfterSeconds = secondsUntil(current.resetAtSeconds, nowMs);
    return { ...current, refusedBy, retryAfterSeconds };
  }
  const refusal = refusalByBan({ bannedUntilSeconds: values[7] ?? 0 }, current, nowMs);
  return values[8] === undefined ? refusal : { ...refusal, banBegan: true };
}
