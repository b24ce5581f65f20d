import type { CountsReader } from '#domain/counts-journal.ts';
import { OperatorError } from '#domain/error.ts';
import type { Caller, Decision, Limiter, Quota } from '#domain/rate-limit.ts';
import { connectRedis } from './connection.ts';
import { NO_COUNTS, RedisCounts, type Report } from './counts.ts';
import { parseRedisUrl, RedisRefusal, whyRedisFailed } from './redis-url.ts';
import { RemainingQuota } from './remaining-quota.ts';
import { within } from './server.ts';

/** After this long without a response, Redis counts as away. Virtual machines often pause for less. */
const SILENCE_MS = 1_000;
const SILENT_TICKS = 10;
const RETRY_MS = 250;

/**
 * An instance holds for this long after Redis has returned. The hold must be longer than the time between the first
 * instance that finds Redis again and the last one: a retry, and an attempt to connect that began while
 * Redis was still away. After a failover, instances also learn of the new master at different moments.
 */
const HOLD_MS = 1_500;
const FAILOVER_HOLD_MS = 5_000;
const HOLD_CHECK_MS = 50;
/** An instance whose settlements never succeed must not keep the others in their hold forever. */
const MAX_HOLD_MS = 300_000;

/** The number of subjects that are settled at once. Requests wait in Redis for one such run of each instance. */
const SETTLEMENTS_PER_RUN = 100;

export interface RedisLimiterOptions {
  readonly url: string;
  readonly storeId: string;
  /** The number of instances that share the limits while Redis is away. */
  readonly instances: number;
  /** Called when Redis goes away, and again if it then refuses to work for another reason. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** Called with the time of each round trip. */
  readonly onResponse?: ((seconds: number) => void) | undefined;
  /** Replaces Redis's clock, in tests. */
  readonly redisNow?: (() => number) | undefined;
  /** Replaces `SILENCE_MS`, in tests. */
  readonly silenceMs?: number;
  /** Replaces `HOLD_MS` and `FAILOVER_HOLD_MS`, in tests. */
  readonly holdMs?: number;
}

/** The counts over the connection of the limiter. */
class Connection extends RedisCounts {
  /**
   * Identifies one run of Redis, by the times at which it created the counts of the probes. Redis creates
   * them again after a restart, after a failover and after the loss of all data.
   */
  run = '';
  /** True while the counts in Redis may still lack requests that some instance knows of. */
  isHolding = false;
}

/**
 * Counts in Redis, for all instances together, and in process while Redis is away. The README of this
 * folder describes how an instance loses Redis and returns to it.
 */
export class RedisLimiter implements Limiter, CountsReader, AsyncDisposable {
  /** Decides while Redis is away, and helps to decide during a hold. Otherwise it only records the counts. */
  readonly #quota;
  readonly #holdMs;
  readonly #watch;
  /** Redis's clock minus the monotonic clock of this process, as of the last response. */
  #clockOffsetMs: number | undefined;
  #connection: Connection | undefined;
  /** The last run of Redis that received every count which this instance knew. */
  #run: string | undefined;
  /** The reasons that Redis has given during this outage. Each of them is reported once. */
  #refusals = new Set<string>();
  /** The next attempt to connect. */
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(private readonly options: RedisLimiterOptions) {
    this.#quota = new RemainingQuota(options.instances);
    const hasFailover = parseRedisUrl(options.url)?.kind !== 'server';
    this.#holdMs = options.holdMs ?? (hasFailover ? FAILOVER_HOLD_MS : HOLD_MS);
    const tickMs = (options.silenceMs ?? SILENCE_MS) / SILENT_TICKS;
    this.#watch = setInterval(() => this.#tick(), tickMs);
  }

  /**
   * Starts without Redis if that is away, and uses it as soon as it can be reached. Throws
   * `OperatorError` if Redis refuses what REDIS_URL says.
   */
  static async open(options: RedisLimiterOptions): Promise<RedisLimiter> {
    const limiter = new RedisLimiter(options);
    try {
      const connection = await limiter.#connect();
      limiter.#run = connection.run;
      if (await connection.isAnySettling()) {
        limiter.#reportAway(
          new Error('Redis has just returned, and lacks counts of other instances'),
        );
        limiter.#holdAndSettle(connection);
      } else limiter.#use(connection);
    } catch (error) {
      if (error instanceof RedisRefusal && error.isMistake) {
        await limiter[Symbol.asyncDispose]();
        throw new OperatorError(`${whyRedisFailed(options.url, error)}.`);
      }
      limiter.#reportAway(error);
      limiter.#reconnectLater();
    }
    return limiter;
  }

  async take(caller: Caller, nowMs: number): Promise<Decision> {
    const connection = this.#connection;
    const sentAtMs = this.#timeOf(caller, nowMs);
    if (connection === undefined) return this.#quota.take(caller, sentAtMs);
    const local = connection.isHolding ? this.#quota.take(caller, sentAtMs, true) : undefined;
    if (local?.refusedBy !== undefined) return local;
    const fixedMs = hasTestTime(caller) ? sentAtMs : this.options.redisNow?.();
    // Only the first request of an account on this connection settles anything. Redis runs the commands of a
    // connection in their order, so it settles these counts before it decides the request.
    this.#settle(connection, caller.subject, fixedMs);
    this.#quota.recordSent(caller.subject, sentAtMs);
    const startedAtMs = performance.now();
    try {
      const { report, decision } = await connection.take(caller, sentAtMs, fixedMs);
      this.#quota.recordReport(caller.subject, report, connection);
      // A report for a test clock has the time of that clock, not the time of Redis.
      this.#measure(startedAtMs, hasTestTime(caller) ? undefined : report);
      // A refusal has nothing remaining, so it always wins.
      return local !== undefined && local.remaining < decision.remaining ? local : decision;
    } catch (error) {
      this.#giveUp(connection, error);
      return this.#quota.take(caller, this.#timeOf(caller, nowMs));
    }
  }

  peek(caller: Caller, nowMs: number): Quota {
    return this.#quota.peek(caller, this.#timeOf(caller, nowMs));
  }

  /** Throws while Redis is away. */
  async getCounts(subject: string) {
    return this.#connected().getCounts(subject);
  }

  /** Throws while Redis is away. */
  async getPenalty(subject: string, keyId: number) {
    return this.#connected().getPenalty(subject, keyId);
  }

  #connected(): Connection {
    if (this.#connection === undefined) throw new Error('Redis is away');
    return this.#connection;
  }

  /** Records how long Redis took to respond, and how far its clock is from ours. */
  #measure(startedAtMs: number, report: Report | undefined): void {
    const receivedAtMs = performance.now();
    this.options.onResponse?.((receivedAtMs - startedAtMs) / 1000);
    if (report === undefined) return;
    // Redis probably ran the script in the middle of the round trip. The error is below SILENCE_MS,
    // because a response takes less than that.
    this.#clockOffsetMs = report.nowMs - (startedAtMs + receivedAtMs) / 2;
  }

  #tick(): void {
    const connection = this.#connection;
    if (connection === undefined || connection.link.tick() <= SILENT_TICKS) return;
    const { silenceMs = SILENCE_MS } = this.options;
    this.#giveUp(connection, new Error(`Redis was silent for ${silenceMs} ms`));
  }

  /** An account with a test clock has the given time. All other callers share the clock of Redis. */
  #timeOf(caller: Caller, nowMs: number): number {
    return hasTestTime(caller) ? nowMs : this.#redisNow(nowMs);
  }

  /** The time of Redis, or before its first response the given one. */
  #redisNow(nowMs: number): number {
    if (this.options.redisNow !== undefined) return this.options.redisNow();
    return this.#clockOffsetMs === undefined ? nowMs : this.#clockOffsetMs + performance.now();
  }

  async #connect(): Promise<Connection> {
    const { url, storeId } = this.options;
    const link = await connectRedis(url);
    const connection = new Connection(link, storeId);
    const createdAt: number[] = [];
    try {
      // Settling empty counts on each server shows that the script can write there.
      for (const subject of link.probeSubjects) {
        const nothing = { subject, known: NO_COUNTS, admitted: NO_COUNTS.counts };
        const startedAtMs = performance.now();
        const report = await within(connection.settle(nothing));
        this.#measure(startedAtMs, report);
        createdAt.push(report.createdAt);
      }
      connection.run = createdAt.join();
      return connection;
    } catch (error) {
      link.close();
      throw error;
    }
  }

  #use(connection: Connection): void {
    this.#connection = connection;
    connection.link.onclose = (error) => this.#giveUp(connection, error);
  }

  /**
   * Uses a connection to a Redis that has just returned. During the hold, requests must fit both the counts
   * in Redis and the share of this instance. The hold ends when this instance and all others that have
   * returned have settled.
   */
  async #holdAndSettle(connection: Connection): Promise<void> {
    connection.isHolding = true;
    this.#use(connection);
    const returnedAtMs = performance.now();
    try {
      const isNewRun = connection.run !== this.#run;
      // Listing what this instance knows may take many turns of the event loop. The announcement comes
      // first, so that the others do not end their hold meanwhile.
      if (isNewRun) await connection.announceSettling();
      const unsettled = await this.#quota.unsettled(isNewRun, this.#redisNow(0));
      while (connection === this.#connection) {
        const heldMs = performance.now() - returnedAtMs;
        if (unsettled.length > 0) {
          // Runs follow each other, so that requests do not wait behind all of them. Each run repeats
          // the announcement, which lasts for two seconds.
          const run = unsettled.splice(0, SETTLEMENTS_PER_RUN);
          const announced = connection.announceSettling();
          await Promise.all([announced, ...run.map((each) => this.#settle(connection, each))]);
        } else if (
          heldMs < this.#holdMs ||
          (heldMs < MAX_HOLD_MS && (await connection.isAnySettling()))
        ) {
          await Bun.sleep(HOLD_CHECK_MS);
        } else break;
      }
      // Redis may have gone away again during the hold.
      if (connection !== this.#connection) return;
      connection.isHolding = false;
      this.#run = connection.run;
      this.#quota.endAway();
      this.#refusals.clear();
      this.options.onBack();
    } catch (error) {
      this.#giveUp(connection, error);
    }
  }

  /**
   * Adds to Redis what it may lack of one subject. Without a response, the requests stay unsettled and are
   * added again later: they may then be counted twice, but are never lost.
   */
  async #settle(
    connection: Connection,
    subject: string,
    fixedMs = this.options.redisNow?.(),
  ): Promise<void> {
    const settlement = this.#quota.settlement(subject, connection);
    if (settlement === undefined) return;
    try {
      const report = await connection.settle(settlement, fixedMs);
      if (connection === this.#connection) this.#quota.settle(subject, report, connection);
    } catch (error) {
      this.#giveUp(connection, error);
    }
  }

  #giveUp(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    clearTimeout(this.#timer);
    connection.link.close();
    if (!connection.isHolding) this.#reportAway(error);
    this.#reconnectLater();
  }

  #reportAway(error: unknown): void {
    if (error instanceof RedisRefusal) this.#refusals.add(error.message);
    this.options.onAway(error);
  }

  #reconnectLater(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(async () => {
      try {
        const connection = await this.#connect();
        if (this.#closed) connection.link.close();
        else this.#holdAndSettle(connection);
      } catch (error) {
        if (error instanceof RedisRefusal && !this.#refusals.has(error.message)) {
          this.#reportAway(error);
        }
        this.#reconnectLater();
      }
    }, RETRY_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.link.close();
  }
}

function hasTestTime({ clockOffsetMs = 0 }: Caller): boolean {
  return clockOffsetMs > 0;
}
