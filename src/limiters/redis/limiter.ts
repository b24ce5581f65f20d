// Counts in Redis, for all instances together; one script decides. While Redis is away, each instance
// counts its part of the quota. The service starts it. The rules of windows and bans are those of the
// domain, which the script repeats and a test compares.

import type { Penalty } from '../../domain/ban.ts';
import type { CountsReader } from '../../domain/counts-journal.ts';
import { OperatorError } from '../../domain/error.ts';
import type { Caller, Counts, Decision, Limiter } from '../../domain/rate-limit.ts';
import { connectRedis } from './connection.ts';
import { MAX_REQUESTS_PER_RUN, type RedisCounts, redisCounts, type Settlement } from './counts.ts';
import { isMistake, isRefusal, parseRedisUrl, whyRedisFailed } from './redis-url.ts';
import { RemainingQuota } from './remaining-quota.ts';

const RETRY_MS = 250;

/**
 * Longer than two instances can be apart when Redis returns: a retry, and a connection attempt that
 * began while it was away. After a failover, they also learn of the new master at different moments.
 */
const HOLD_MS = 1_500;
const FAILOVER_HOLD_MS = 5_000;
const HOLD_CHECK_MS = 50;
/** An instance that never gets through with its settlements must not hold up the others for good. */
const MAX_HOLD_MS = 300_000;

/** A request is counted on each server when Redis returns, to see that the script can write. */
const PROBE_LIMITS = { perMinute: 1e9, perDay: 1e9 };

export interface RedisLimiterOptions {
  readonly url: string;
  readonly storeId: string;
  /** How many instances share the limits while Redis is away. */
  readonly instances: number;
  /** Also called when Redis then refuses to work for another reason. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** Called with the time of each round trip. */
  readonly onResponse?: ((seconds: number) => void) | undefined;
  /** Replaces Redis's clock, in tests. */
  readonly redisNow?: (() => number) | undefined;
  /** Replaces the second of silence, in tests. */
  readonly silenceMs?: number;
  /** Replaces `HOLD_MS` and `FAILOVER_HOLD_MS`, in tests. */
  readonly holdMs?: number;
}

interface Connection {
  readonly counts: RedisCounts;
  /** Redis is back, but its counts may still lack requests that other instances admitted. */
  isHolding: boolean;
  /** By account or address. */
  readonly unsettled: Map<string, Settlement>;
}

/** Counts in Redis, for all instances together, and in process while Redis is away. */
export class RedisLimiter implements Limiter, CountsReader, AsyncDisposable {
  readonly #options: RedisLimiterOptions;
  readonly #quota: RemainingQuota;
  readonly #holdMs: number;
  /** Redis's clock minus the monotonic clock of this process, as of the last response. */
  #clockOffsetMs: number | undefined;
  #connection: Connection | undefined;
  /** Why Redis is away, as it said. Each reason is reported once. */
  #refusals = new Set<string>();
  /** The next attempt to connect. */
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: RedisLimiterOptions) {
    this.#options = options;
    this.#quota = new RemainingQuota(options.instances);
    const hasFailover = parseRedisUrl(options.url)?.kind !== 'server';
    this.#holdMs = options.holdMs ?? (hasFailover ? FAILOVER_HOLD_MS : HOLD_MS);
  }

  /**
   * Starts without Redis if that is away, and uses it as soon as it can be reached. Throws
   * `OperatorError` if Redis refuses what REDIS_URL says.
   */
  static async open(options: RedisLimiterOptions): Promise<RedisLimiter> {
    const limiter = new RedisLimiter(options);
    try {
      const counts = await limiter.#connect();
      if (await counts.isAnySettling()) {
        limiter.#reportAway(
          new Error('Redis has just returned, and lacks counts of other instances'),
        );
        limiter.#return(counts);
      } else limiter.#use(counts);
    } catch (error) {
      if (isMistake(error)) {
        await limiter[Symbol.asyncDispose]();
        throw new OperatorError(`${whyRedisFailed(options.url, error)}.`);
      }
      limiter.#reportAway(error);
      limiter.#tryAgain();
    }
    return limiter;
  }

  async take(caller: Caller, nowMs: number): Promise<Decision> {
    const connection = this.#connection;
    const sentAtMs = this.#timeOf(caller, nowMs);
    if (connection === undefined) return this.#quota.take(caller, sentAtMs);
    const { counts, isHolding, unsettled } = connection;
    const { subject } = caller;
    const local = isHolding ? this.#quota.take(caller, sentAtMs, true) : undefined;
    if (local?.refusedBy !== undefined) return local;
    // Redis runs the commands of a connection in order, so it settles before it decides.
    this.#settle(connection, unsettled.get(subject));
    const known = this.#quota.send(subject, sentAtMs, counts);
    const isTestTime = hasTestTime(caller);
    const fixedMs = isTestTime ? sentAtMs : this.#options.redisNow?.();
    const startedAtMs = performance.now();
    try {
      const { report, decision } = await counts.decide({ caller, known, sentAtMs, fixedMs });
      const receivedAtMs = performance.now();
      this.#options.onResponse?.((receivedAtMs - startedAtMs) / 1000);
      this.#quota.report(subject, report, counts);
      // Redis probably ran the script in the middle. A report at a test time does not have its time.
      if (!isTestTime) this.#clockOffsetMs = report.nowMs - (startedAtMs + receivedAtMs) / 2;
      return local !== undefined && local.remaining < decision.remaining ? local : decision;
    } catch (error) {
      this.#lose(connection, error);
      return this.#quota.take(caller, this.#timeOf(caller, nowMs));
    }
  }

  /** Throws while Redis is away. */
  async getCounts(subject: string): Promise<Counts | undefined> {
    return this.#counts().getCounts(subject);
  }

  /** Throws while Redis is away. */
  async getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
    return this.#counts().getPenalty(subject, keyId);
  }

  #counts(): RedisCounts {
    if (this.#connection === undefined) throw new Error('Redis is away');
    return this.#connection.counts;
  }

  /** The time of an account with a test clock is given. All others share Redis's clock. */
  #timeOf(caller: Caller, nowMs: number): number {
    if (hasTestTime(caller)) return nowMs;
    if (this.#options.redisNow !== undefined) return this.#options.redisNow();
    return this.#clockOffsetMs === undefined ? nowMs : this.#clockOffsetMs + performance.now();
  }

  async #connect(): Promise<RedisCounts> {
    const { url, storeId, silenceMs } = this.#options;
    const link = await connectRedis(url, silenceMs);
    const counts = redisCounts(link, storeId);
    try {
      for (const subject of link.probeSubjects) {
        const caller = { subject, ...PROBE_LIMITS };
        await counts.decide({ caller, sentAtMs: 0 });
      }
      return counts;
    } catch (error) {
      link.close();
      throw error;
    }
  }

  #use(counts: RedisCounts, settlements?: readonly Settlement[]): Connection {
    const unsettled = new Map(settlements?.map((each) => [each.subject, each]));
    const connection = { counts, isHolding: settlements !== undefined, unsettled };
    this.#connection = connection;
    counts.link.onclose = (error) => this.#lose(connection, error);
    return connection;
  }

  /** Decides in Redis alone once this instance and all others that returned have settled. */
  async #return(counts: RedisCounts): Promise<void> {
    const connection = this.#use(counts, this.#quota.unsettled());
    const { unsettled } = connection;
    const returnedAtMs = performance.now();
    try {
      while (connection === this.#connection) {
        const heldMs = performance.now() - returnedAtMs;
        if (unsettled.size > 0) {
          // One run at a time, with the announcement, so that requests wait for one run at most.
          const run = unsettled
            .values()
            .take(MAX_REQUESTS_PER_RUN - 1)
            .toArray();
          const announced = counts.announceSettling();
          await Promise.all([announced, ...run.map((each) => this.#settle(connection, each))]);
        } else if (
          heldMs < this.#holdMs ||
          (heldMs < MAX_HOLD_MS && (await counts.isAnySettling()))
        ) {
          await Bun.sleep(HOLD_CHECK_MS);
        } else {
          connection.isHolding = false;
          this.#quota.endAway();
          this.#refusals.clear();
          this.#options.onBack();
          return;
        }
      }
    } catch (error) {
      this.#lose(connection, error);
    }
  }

  /** Without a response the requests stay unsettled: they may then be counted twice, never lost. */
  async #settle(connection: Connection, settlement: Settlement | undefined): Promise<void> {
    const { counts, unsettled } = connection;
    if (settlement === undefined) return;
    const { subject } = settlement;
    unsettled.delete(subject);
    try {
      const report = await counts.settle(settlement, this.#options.redisNow?.());
      if (connection === this.#connection) this.#quota.settle(subject, report, counts);
    } catch (error) {
      this.#lose(connection, error);
    }
  }

  #lose(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    clearTimeout(this.#timer);
    connection.counts.link.close();
    if (!connection.isHolding) this.#reportAway(error);
    this.#tryAgain();
  }

  #reportAway(error: unknown): void {
    if (isRefusal(error)) this.#refusals.add((error as Error).message);
    this.#options.onAway(error);
  }

  #tryAgain(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(async () => {
      try {
        const counts = await this.#connect();
        if (this.#closed) counts.link.close();
        else this.#return(counts);
      } catch (error) {
        if (isRefusal(error) && !this.#refusals.has((error as Error).message)) {
          this.#reportAway(error);
        }
        this.#tryAgain();
      }
    }, RETRY_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.counts.link.close();
  }
}

function hasTestTime({ clockOffsetMs = 0 }: Caller): boolean {
  return clockOffsetMs > 0;
}
