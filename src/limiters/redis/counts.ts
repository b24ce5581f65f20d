import { BAN_RULES, type Penalty, refusalByBan } from '#domain/ban.ts';
import type { SavedCounts } from '#domain/counts-journal.ts';
import {
  type Caller,
  type Counts,
  type Decision,
  minuteOffsetSeconds,
  NOTHING_USED,
  quotaOf,
  secondsUntil,
} from '#domain/rate-limit.ts';
import { batcher } from '#timing/batcher.ts';
import { type RedisLink, within } from './server.ts';
import script from './take.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SCRIPT = `local RULES = { ${RULES.join(', ')} }\n${script}`;
const SCRIPT_SHA1 = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex');

/** What refused a request, by the number that the script returns. */
const REFUSED_BY = [undefined, 'minute', 'day', 'ban'] as const;

const MAX_DATE_SECONDS = 8.64e12;

/** Redis does nothing else while a script runs, so one run must not take long. */
const MAX_REQUESTS_PER_RUN = 250;

/** The counts of an account or address in Redis. */
export interface StoredCounts {
  readonly counts: Counts;
  /** When Redis created the counts, or first used them after a restart, in microseconds since 1970. */
  readonly createdAt: number;
}

export const NO_COUNTS: StoredCounts = {
  counts: NOTHING_USED,
  createdAt: 0,
};

/** The counts as Redis has reported them, with the time of its clock. */
export interface Report extends StoredCounts {
  readonly nowMs: number;
}

/** The requests admitted while Redis was away, and the last counts that it had reported before. */
export interface Settlement {
  readonly subject: string;
  readonly admitted: Counts;
  readonly known: StoredCounts;
}

/** The name under which instances announce that they have settlements left. */
const SETTLING = 'settling';

/**
 * The name under which Redis keeps the counts of a subject. It contains the id of the store, because
 * several stores may share a Redis. The braces mark the hash tag, from which a cluster chooses the node.
 * It is the subject alone, so that a subject for each node can be found without the id of the store.
 */
export function countsName(storeId: string, subject: string): string {
  return `animal-store:${storeId}:{${subject}}`;
}

/** The name of the counts in Redis, and a request to the script, which `take.lua` describes. */
interface Job {
  readonly name: string;
  readonly request: object;
}

/** The counts of one store, over one connection. */
export class RedisCounts implements SavedCounts {
  readonly #storeId: string;
  /** Collects the requests of a turn separately for each slot, because a script can use only one slot. */
  readonly #batches = new Map<number, (job: Job) => Promise<number[]>>();

  constructor(
    readonly link: RedisLink,
    storeId: string,
  ) {
    this.#storeId = storeId;
  }

  /** `sentAtMs` and `fixedMs` are times on the clock of Redis. `fixedMs` replaces that clock. */
  async decide(caller: Caller, sentAtMs: number, fixedMs?: number) {
    const { subject, perMinute, perDay, id: keyId, unbannedAtMs } = caller;
    const request = { mode: 'take', fixedMs, sentAtMs, perMinute, perDay, keyId, unbannedAtMs };
    const outcome = await this.#run(subject, request);
    return { report: outcome.report, decision: toDecision(outcome, caller) };
  }

  /** Adds admitted requests to the counts of their windows, if those are still the current ones. */
  async settle({ subject, admitted, known }: Settlement, fixedMs?: number): Promise<Report> {
    return (await this.#run(subject, { mode: 'settle', fixedMs, known, admitted })).report;
  }

  /** Tells all instances, for two seconds, that this one has settlements left. */
  async announceSettling(): Promise<void> {
    await this.#run(SETTLING, { mode: 'announce' });
  }

  async isAnySettling(): Promise<boolean> {
    return SETTLING in (await this.#read(SETTLING));
  }

  async getCounts(subject: string): Promise<Counts | undefined> {
    const saved = await this.#read(subject);
    if (saved['day_start'] === undefined) return undefined;
    return {
      minuteStartSeconds: countOf(saved['minute_start']),
      minuteUsed: countOf(saved['minute_used']),
      dayStartSeconds: countOf(saved['day_start']),
      dayUsed: countOf(saved['day_used']),
    };
  }

  async getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
    const fields = await this.#read(subject);
    const penalty = fields[`penalty:${keyId}`];
    if (penalty === undefined) return undefined;
    try {
      const { strikes, ...saved }: Penalty = JSON.parse(penalty);
      const numbers = Object.entries(saved).map(([name, value]) => [name, countOf(value)]);
      // The script writes an empty list of strikes as an empty object, because Lua has no lists.
      return { ...Object.fromEntries(numbers), strikes: Object.values(strikes).map(countOf) };
    } catch {
      return undefined;
    }
  }

  async removeCounts(subject: string): Promise<void> {
    const name = countsName(this.#storeId, subject);
    await within(this.link.send(name, 'DEL', [name]));
  }

  /** All requests of a turn run in one script, which saves a third of the CPU time of Redis. */
  async #run(subject: string, request: object) {
    const name = countsName(this.#storeId, subject);
    const slot = this.link.slotOf(name);
    let add = this.#batches.get(slot);
    if (add === undefined) {
      const run = (jobs: readonly Job[]) => this.#runScript(jobs);
      ({ add } = batcher(run, MAX_REQUESTS_PER_RUN, 'overlapping'));
      this.#batches.set(slot, add);
    }
    const minuteOffset = minuteOffsetSeconds(subject);
    return decode(await add({ name, request: { ...request, minuteOffset } }));
  }

  async #runScript(jobs: readonly Job[]): Promise<number[][]> {
    const names = jobs.map(({ name }) => name);
    const requests = JSON.stringify(jobs.map(({ request }) => request));
    const words = [SCRIPT_SHA1, String(names.length), ...names, requests];
    const [name = ''] = names;
    try {
      return await this.link.send(name, 'EVALSHA', words);
    } catch (error) {
      // The server has lost the script, after a restart or a flush.
      if (!isErrorResponse(error, 'NOSCRIPT')) throw error;
      return this.link.send(name, 'EVAL', words.with(0, SCRIPT));
    }
  }

  async #read(subject: string): Promise<Record<string, string>> {
    const name = countsName(this.#storeId, subject);
    try {
      return await within(this.link.send(name, 'HGETALL', [name]));
    } catch (error) {
      // Something else has written a value of another type. The next request deletes it and counts from 0.
      if (isErrorResponse(error, 'WRONGTYPE')) return {};
      throw error;
    }
  }
}

/** Reads a damaged count, or a time that a date cannot have, as 0. */
function countOf(value: unknown): number {
  const count = Number(value);
  return Number.isInteger(count) && count >= 0 && count <= MAX_DATE_SECONDS ? count : 0;
}

function isErrorResponse(error: unknown, code: string): boolean {
  return String((error as Error).message).includes(code);
}

/** The script returns up to nine numbers for each request. Its header lists them in this order. */
function decode(response: readonly number[]) {
  const [
    nowMs = 0,
    minuteStartSeconds = 0,
    minuteUsed = 0,
    dayStartSeconds = 0,
    dayUsed = 0,
    createdAt = 0,
    refusedBy = 0,
    bannedUntilSeconds = 0,
    banBegan = 0,
  ] = response;
  const counts = { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed };
  return {
    report: { counts, createdAt, nowMs },
    refusedBy: REFUSED_BY[refusedBy],
    bannedUntilSeconds,
    banBegan: banBegan === 1,
  };
}

function toDecision(outcome: ReturnType<typeof decode>, caller: Caller): Decision {
  const { report, refusedBy, banBegan } = outcome;
  const { counts, nowMs } = report;
  const current = quotaOf(counts, caller);
  if (refusedBy === undefined) return { ...current, minuteUsed: counts.minuteUsed };
  if (refusedBy !== 'ban') {
    const retryAfterSeconds = secondsUntil(current.resetAtSeconds, nowMs);
    return { ...current, refusedBy, retryAfterSeconds };
  }
  const refusal = refusalByBan(outcome, current, nowMs);
  return banBegan ? { ...refusal, banBegan } : refusal;
}
