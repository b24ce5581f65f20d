import { BAN_RULES, type Penalty, refusalByBan } from '#domain/ban.ts';
import type { SavedCounts } from '#domain/counts-journal.ts';
import {
  type Caller,
  type Counts,
  countsAt,
  type Decision,
  minuteOffsetSeconds,
  NOTHING_USED,
  quotaOf,
  takeRequest,
} from '#domain/rate-limit.ts';
import { batcher } from '#timing/batcher.ts';
import decide from './decide.lua' with { type: 'text' };
import { type RedisLink, type Word, within } from './server.ts';
import settle from './settle.lua' with { type: 'text' };
import take from './take.lua' with { type: 'text' };
import windows from './windows.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SHARED = `local RULES = { ${RULES} }\n${windows}`;
const SETTLE = scriptOf(`${SHARED}\n${settle}`);
const TAKE = scriptOf(`local function load_decide()\n${SHARED}\n${decide}\nend\n${take}`);

const MAX_DATE_SECONDS = 8.64e12;

/** Redis does nothing else while a script runs, so one run must not take long. */
const MAX_REQUESTS_PER_RUN = 250;

/** The counts of an account or address as Redis has reported them, with the time of its clock. */
export type Report = ReturnType<typeof toReport>;

export const NO_COUNTS = toReport([]);

/** The requests admitted while Redis was away, and the last counts that it had reported before. */
export interface Settlement {
  readonly subject: string;
  readonly admitted: Counts;
  readonly known: Report;
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

/** A script, and the name that EVALSHA has for it. */
function scriptOf(text: string) {
  return { text, sha1: new Bun.CryptoHasher('sha1').update(text).digest('hex') };
}

/** A request as `take.lua` counts it: the name of its counts, the field of its penalty, and seven numbers. */
interface Job {
  readonly name: string;
  readonly penalty: string;
  readonly numbers: readonly number[];
}

/** The counts of one store, over one connection. */
export class RedisCounts implements SavedCounts {
  /** The requests of each slot are collected separately, because a script can use only one slot. */
  readonly #batches: Record<number, (job: Job) => Promise<number[]>> = {};

  constructor(
    readonly link: RedisLink,
    private readonly storeId: string,
  ) {}

  /**
   * Counts a request. All requests of a turn share a script call. `sentAtMs` and `fixedMs` are times on the
   * clock of Redis. `fixedMs` replaces that clock.
   */
  async take(caller: Caller, sentAtMs: number, fixedMs?: number) {
    const { subject, perMinute, perDay, id = '', unbannedAtMs = 0 } = caller;
    const expected = countsAt(undefined, subject, sentAtMs);
    const numbers = [
      fixedMs ?? 0,
      expected.minuteStartSeconds,
      expected.dayStartSeconds,
      perMinute,
      perDay,
      sentAtMs,
      unbannedAtMs,
    ];
    const name = countsName(this.storeId, subject);
    const slot = this.link.slotOf(name);
    // Collects the requests of a turn, and does not wait for the response to those of the turn before.
    this.#batches[slot] ??= batcher(
      (jobs: readonly Job[]) => this.#takeAll(jobs),
      MAX_REQUESTS_PER_RUN,
      'overlapping',
    ).add;
    const response = await this.#batches[slot]({ name, penalty: `penalty:${id}`, numbers });
    const report = toReport(response, expected);
    return { report, decision: toDecision(response, report, caller) };
  }

  /** Calls `take.lua`, which returns a list of numbers for each request. */
  #takeAll(jobs: readonly Job[]): Promise<number[][]> {
    const names = jobs.map(({ name }) => name);
    const penalties = jobs.map(({ penalty }) => penalty);
    const numbers = new Float64Array(jobs.flatMap((job) => job.numbers));
    return this.#run(TAKE, names, [...penalties, numbers]);
  }

  /**
   * Adds admitted requests to the counts of their windows, if those are still the current ones. Sends them at
   * once, so that Redis settles them before it decides the requests of this turn.
   */
  async settle(settlement: Settlement, fixedMs?: number): Promise<Report> {
    const { subject } = settlement;
    const request = { ...settlement, fixedMs, minuteOffset: minuteOffsetSeconds(subject) };
    return toReport(await this.#settle(subject, JSON.stringify(request)));
  }

  /** Tells all instances, for two seconds, that this one has settlements left. */
  async announceSettling(): Promise<void> {
    await this.#settle(SETTLING, 'announce');
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
    const name = countsName(this.storeId, subject);
    await within(this.link.send(name, 'DEL', [name]));
  }

  #settle(subject: string, word: string): Promise<number[]> {
    return this.#run(SETTLE, [countsName(this.storeId, subject)], [word]);
  }

  async #run<T>(script: typeof TAKE, names: string[], words: Word[]): Promise<T> {
    const all = [script.sha1, String(names.length), ...names, ...words];
    const [name = ''] = names;
    try {
      return await this.link.send(name, 'EVALSHA', all);
    } catch (error) {
      // The server has lost the script, after a restart or a flush.
      if (!isErrorResponse(error, 'NOSCRIPT')) throw error;
      return this.link.send(name, 'EVAL', all.with(0, script.text));
    }
  }

  async #read(subject: string): Promise<Record<string, string>> {
    const name = countsName(this.storeId, subject);
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

/** `take.lua` describes these numbers. It leaves out the starts of windows that are the expected ones. */
function toReport(response: readonly number[], expected = NOTHING_USED) {
  const [
    nowMs = 0,
    minuteUsed = 0,
    dayUsed = 0,
    createdAt = 0,
    minuteStartSeconds = expected.minuteStartSeconds,
    dayStartSeconds = expected.dayStartSeconds,
  ] = response;
  return {
    counts: { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed },
    /** The time at which Redis created the counts, or first used them after a restart, in microseconds since 1970. */
    createdAt: Number(createdAt),
    nowMs,
  };
}

function toDecision(
  response: readonly number[],
  { counts, nowMs }: Report,
  caller: Caller,
): Decision {
  const [bannedUntilSeconds, banBegan] = response.slice(6);
  const current = quotaOf(counts, caller, nowMs);
  if (bannedUntilSeconds === undefined) return { ...current, minuteUsed: counts.minuteUsed };
  // A window was full, so this refuses too.
  if (bannedUntilSeconds === 0) return takeRequest(counts, caller, nowMs);
  const refusal = refusalByBan(bannedUntilSeconds, current, nowMs);
  return banBegan === undefined ? refusal : { ...refusal, banBegan: true };
}
