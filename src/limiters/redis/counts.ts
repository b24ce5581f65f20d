import { BAN_RULES, type Penalty, refusalByBan } from '../../domain/ban.ts';
import {
  type Caller,
  type Counts,
  type Decision,
  minuteOffsetSeconds,
  quotaOf,
  secondsUntil,
} from '../../domain/rate-limit.ts';
import type { RedisLink } from './server.ts';
import script from './take.lua' with { type: 'text' };

const RULES = Object.entries(BAN_RULES).map(([name, value]) => `${name} = ${value}`);
const SCRIPT = `local RULES = { ${RULES.join(', ')} }\n${script}`;
const SCRIPT_SHA1 = new Bun.CryptoHasher('sha1').update(SCRIPT).digest('hex');

/** Redis serves nobody else while a script runs. */
export const MAX_REQUESTS_PER_RUN = 250;

/** The counts of an account or address in Redis. */
export interface StoredCounts {
  readonly counts: Counts;
  /** A number for the run of Redis that counted. A restart begins another. */
  readonly run: number;
}

/** The counts, and the time in Redis. */
export interface Report extends StoredCounts {
  readonly nowMs: number;
}

/** A request to decide. */
interface Take {
  readonly caller: Caller;
  /** For the first request on a connection: counts that Redis reported before, and may have lost. */
  readonly known?: StoredCounts | undefined;
  readonly sentAtMs: number;
  /** Replaces Redis's clock, in tests and for an account with a test clock. */
  readonly fixedMs?: number | undefined;
}

/** Requests admitted while Redis was away, and the counts of the same windows before. */
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

interface Job extends PromiseWithResolvers<number[]> {
  readonly subject: string;
  /** As take.lua describes it. */
  readonly request: object;
}

export type RedisCounts = ReturnType<typeof redisCounts>;

/** The counts of one store, over one connection. */
export function redisCounts(link: RedisLink, storeId: string) {
  /** Of this turn of the event loop. */
  const turn: Job[] = [];

  function read(subject: string): Promise<Record<string, string>> {
    return link.send(subject, 'HGETALL', [countsName(storeId, subject)]);
  }

  /** Requests of one turn share a script, which saves a third of the CPU time of Redis. */
  function run(subject: string, request: object): Promise<number[]> {
    if (turn.length === 0) setImmediate(runTurn);
    const job = { subject, request, ...Promise.withResolvers<number[]>() };
    turn.push(job);
    return job.promise;
  }

  function runTurn(): void {
    // A script can only use names of one slot.
    const bySlot = Map.groupBy(turn.splice(0), ({ subject }) => link.slotOf(subject));
    for (const jobs of bySlot.values()) {
      while (jobs.length > 0) runScript(jobs.splice(0, MAX_REQUESTS_PER_RUN));
    }
  }

  async function runScript(jobs: readonly Job[]): Promise<void> {
    const [{ subject }] = jobs as [Job];
    const names = jobs.map((job) => countsName(storeId, job.subject));
    const requests = JSON.stringify(jobs.map(({ request }) => request));
    const words = [SCRIPT_SHA1, String(names.length), ...names, requests];
    try {
      const running: Promise<number[][]> = link.send(subject, 'EVALSHA', words);
      const reports = await running.catch((error: Error) => {
        // The server was restarted or flushed and lost the script.
        if (!error.message.includes('NOSCRIPT')) throw error;
        return link.send<number[][]>(subject, 'EVAL', words.with(0, SCRIPT));
      });
      for (const [index, { resolve }] of jobs.entries()) resolve(reports[index] as number[]);
    } catch (error) {
      for (const { reject } of jobs) reject(error);
    }
  }

  return {
    link,

    async decide({ caller, ...take }: Take): Promise<{ report: Report; decision: Decision }> {
      const { subject, perMinute, perDay, id: keyId, unbannedAtMs } = caller;
      const minuteOffset = minuteOffsetSeconds(subject);
      const limits = { perMinute, perDay, keyId, unbannedAtMs };
      const values = await run(subject, { mode: 'take', minuteOffset, ...limits, ...take });
      const report = toReport(values);
      return { report, decision: toDecision(report, caller, values) };
    },

    /** Adds admitted requests to the counts of their windows, if those are still the current ones. */
    async settle(settlement: Settlement, fixedMs: number | undefined): Promise<Report> {
      const { subject, admitted, known } = settlement;
      const minuteOffset = minuteOffsetSeconds(subject);
      const request = { mode: 'settle', minuteOffset, fixedMs, known, admitted };
      return toReport(await run(subject, request));
    },

    /** Tells all instances that one has settlements left, for two seconds. */
    async announceSettling(): Promise<void> {
      await run(SETTLING, { mode: 'announce' });
    },

    async isAnySettling(): Promise<boolean> {
      return SETTLING in (await read(SETTLING));
    },

    async getCounts(subject: string): Promise<Counts | undefined> {
      const saved = await read(subject);
      if (saved['day_start'] === undefined) return undefined;
      return {
        minuteStartSeconds: Number(saved['minute_start']),
        minuteUsed: Number(saved['minute_used']),
        dayStartSeconds: Number(saved['day_start']),
        dayUsed: Number(saved['day_used']),
      };
    },

    async getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
      const text = (await read(subject))[`penalty:${keyId}`];
      if (text === undefined) return undefined;
      const penalty: Penalty = JSON.parse(text);
      // Lua writes an empty list as an empty object.
      return { ...penalty, strikes: Object.values(penalty.strikes) };
    },

    async removeCounts(subject: string): Promise<void> {
      await link.send(subject, 'DEL', [countsName(storeId, subject)]);
    },
  };
}

function toReport(values: readonly number[]): Report {
  const [nowMs = 0, minuteStartSeconds = 0, minuteUsed = 0, dayStartSeconds = 0] = values;
  const [dayUsed = 0, run = 0] = values.slice(4);
  const counts = { minuteStartSeconds, minuteUsed, dayStartSeconds, dayUsed };
  return { counts, run, nowMs };
}

function toDecision(
  { counts, nowMs }: Report,
  caller: Caller,
  values: readonly number[],
): Decision {
  const quota = quotaOf(counts, caller);
  const [isRefused, bannedUntilSeconds, banBegan] = values.slice(6);
  if (isRefused === undefined) return { ...quota, minuteUsed: counts.minuteUsed };
  if (bannedUntilSeconds !== undefined) {
    return {
      ...refusalByBan({ bannedUntilSeconds }, quota, nowMs),
      ...(banBegan && { banBegan: true }),
    };
  }
  const retryAfterSeconds = secondsUntil(quota.resetAtSeconds, nowMs);
  return { ...quota, refusedBy: quota.window, retryAfterSeconds };
}
