import type { Penalty } from '../../domain/ban.ts';
import { OperatorError } from '../../domain/error.ts';
import type { Caller, Decision, Limiter, Quota, Usage } from '../../domain/rate-limit.ts';
import type { UsageReader } from '../../domain/usage-journal.ts';
import { connectRedis, whyRedisFailed } from './connection.ts';
import { KeyNames, type NamedLink } from './key-names.ts';
import { parseRedisUrl } from './redis-address.ts';
import { RedisClock } from './redis-clock.ts';
import type { RedisLink } from './redis-link.ts';
import { RedisRefusal } from './redis-refusal.ts';
import { Shares } from './shares.ts';
import { type Report, runSettle, runTake, type Settlement } from './take-script.ts';
import { RedisUsageReader } from './usage-reader.ts';

/** Redis is away after this long without a response. Virtual machines often pause for less. */
const SILENCE_MS = 1_000;
const SILENT_TICKS = 10;
const RETRY_MS = 250;

/**
 * Longer than two instances can be apart when Redis returns: a retry, and a connection attempt that
 * began while it was away. After a failover, they also learn of the new master at different moments.
 */
const HOLD_MS = 1_500;
const FAILOVER_HOLD_MS = 5_000;

/** A request is counted on each server when Redis returns, to see that the script can write. */
const PROBE_LIMITS = { perMinute: 1e9, perDay: 1e9 };

export interface RedisLimiterOptions {
  readonly url: string;
  readonly storeId: string;
  /** How many instances share the limits while Redis is away. */
  readonly instances: number;
  /** The clock of this machine, used until Redis has reported its time. */
  readonly now: () => number;
  /** Also called when Redis then refuses to work for another reason. */
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

interface Connection extends NamedLink {
  /** Redis is back, but its counts may still lack requests that other instances admitted. */
  isHolding: boolean;
}

/** Counts in Redis, for all instances together, and in process while Redis is away. */
export class RedisLimiter implements Limiter, UsageReader, AsyncDisposable {
  readonly #options: RedisLimiterOptions;
  readonly #names: KeyNames;
  readonly #shares: Shares;
  readonly #holdMs: number;
  readonly #clock = new RedisClock();
  readonly #watch: NodeJS.Timeout;
  #connection: Connection | undefined;
  /** Why Redis is away, as it said. Each reason is reported once. */
  #refusals = new Set<string>();
  /** The next attempt to connect, or the end of the hold. */
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: RedisLimiterOptions) {
    this.#options = options;
    this.#names = new KeyNames(options.storeId);
    this.#shares = new Shares(options.instances);
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
      limiter.#use(await limiter.#connect(), false);
    } catch (error) {
      if (error instanceof RedisRefusal && error.isMistake) {
        await limiter[Symbol.asyncDispose]();
        throw new OperatorError(`${await whyRedisFailed(options.url, error)}.`);
      }
      limiter.#reportAway(error);
      limiter.#tryAgain();
    }
    return limiter;
  }

  async take(caller: Caller, nowMs: number): Promise<Decision> {
    const connection = this.#connection;
    const sentAtMs = this.#timeOf(caller, nowMs);
    if (connection === undefined) return this.#shares.take(caller, sentAtMs).decision;
    const ofShare = connection.isHolding ? this.#shares.take(caller, sentAtMs) : undefined;
    if (ofShare?.decision.refusedBy !== undefined) return ofShare.decision;
    this.#shares.send(caller.subject, sentAtMs);
    try {
      const decision = await this.#ask(connection, 'take', caller, sentAtMs);
      if (ofShare === undefined) return decision;
      this.#shares.settleOne(caller.subject, ofShare.windows);
      return lower(decision, ofShare.decision);
    } catch (error) {
      this.#lose(connection, error);
      // After the hold, the share no longer includes this request.
      if (ofShare !== undefined && connection.isHolding) return ofShare.decision;
      return this.#shares.take(caller, this.#timeOf(caller, nowMs)).decision;
    }
  }

  async peek(caller: Caller, nowMs: number): Promise<Quota> {
    const connection = this.#connection;
    const sentAtMs = this.#timeOf(caller, nowMs);
    if (connection === undefined) return this.#shares.peek(caller, sentAtMs);
    try {
      const quota = await this.#ask(connection, 'peek', caller, sentAtMs);
      if (!connection.isHolding) return quota;
      return lower(quota, this.#shares.peek(caller, this.#timeOf(caller, nowMs)));
    } catch (error) {
      this.#lose(connection, error);
      return this.#shares.peek(caller, this.#timeOf(caller, nowMs));
    }
  }

  /** Throws while Redis is away. */
  async getUsage(subject: string): Promise<Usage | undefined> {
    return this.#reader().getUsage(subject);
  }

  /** Throws while Redis is away. */
  async getPenalty(subject: string, keyId: number): Promise<Penalty | undefined> {
    return this.#reader().getPenalty(subject, keyId);
  }

  #reader(): RedisUsageReader {
    if (this.#connection === undefined) throw new Error('Redis is away');
    return new RedisUsageReader(this.#connection);
  }

  async #ask(
    connection: Connection,
    mode: 'take' | 'peek',
    caller: Caller,
    sentAtMs: number,
  ): Promise<Decision> {
    const { link } = connection;
    const known = this.#shares.countsBefore(link, caller.subject);
    const isTestTime = hasTestTime(caller);
    const fixedMs = isTestTime ? sentAtMs : this.#options.redisNow?.();
    const asked = runTake(connection, mode, caller, known, sentAtMs, fixedMs);
    const report = await this.#awaitReport(asked, isTestTime);
    this.#shares.report(caller.subject, report, link, isTestTime);
    return report.decision;
  }

  async #awaitReport<R extends Report>(asked: Promise<R>, isTestTime = false): Promise<R> {
    const sentAtMs = performance.now();
    const report = await asked;
    const receivedAtMs = performance.now();
    if (!isTestTime) this.#clock.observe(report.nowMs, receivedAtMs);
    this.#options.onResponse?.((receivedAtMs - sentAtMs) / 1000);
    return report;
  }

  #tick(): void {
    if (this.#connection === undefined || this.#connection.link.tick() <= SILENT_TICKS) return;
    const { silenceMs = SILENCE_MS } = this.#options;
    this.#lose(this.#connection, new Error(`Redis was silent for ${silenceMs} ms`));
  }

  /** The time of an account with a test clock is given. All others share Redis's clock. */
  #timeOf(caller: Caller, nowMs: number): number {
    return hasTestTime(caller) ? nowMs : this.#redisNowMs(nowMs);
  }

  /** As far as it is known, also while Redis is away. */
  #redisNowMs(nowMs: number): number {
    return this.#options.redisNow?.() ?? this.#clock.nowMs(performance.now()) ?? nowMs;
  }

  #connect(): Promise<RedisLink> {
    return connectRedis(this.#options.url, async (link) => {
      const named = { link, names: this.#names };
      for (const subject of link.probeSubjects) {
        const probe = { subject, limits: PROBE_LIMITS };
        await this.#awaitReport(
          runTake(
            named,
            'take',
            probe,
            undefined,
            this.#redisNowMs(this.#options.now()),
            undefined,
          ),
        );
      }
    });
  }

  #use(link: RedisLink, isHolding: boolean): Connection {
    const connection = { link, names: this.#names, isHolding };
    this.#connection = connection;
    link.onclose = (error) => this.#lose(connection, error);
    return connection;
  }

  /** Settles at once, and decides in Redis alone when the other instances had time to settle too. */
  #return(link: RedisLink): void {
    const connection = this.#use(link, true);
    // Redis runs the commands of a connection in order, so it settles before it decides again.
    const settled = Array.from(this.#shares.unsettled(), ([subject, settlement]) =>
      this.#settle(connection, subject, settlement),
    );
    this.#timer = setTimeout(async () => {
      await Promise.all(settled);
      if (connection !== this.#connection) return;
      connection.isHolding = false;
      this.#shares.endAway();
      this.#refusals.clear();
      this.#options.onBack();
    }, this.#holdMs);
  }

  /** Without a response the requests stay unsettled: they may then be counted twice, never lost. */
  async #settle(connection: Connection, subject: string, settlement: Settlement): Promise<void> {
    try {
      const settled = runSettle(connection, subject, settlement, this.#options.redisNow?.());
      const report = await this.#awaitReport(settled);
      if (connection !== this.#connection) return;
      this.#shares.settle(subject, settlement, report, connection.link);
    } catch (error) {
      this.#lose(connection, error);
    }
  }

  #lose(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    clearTimeout(this.#timer);
    connection.link.close();
    if (!connection.isHolding) this.#reportAway(error);
    this.#tryAgain();
  }

  #reportAway(error: unknown): void {
    if (error instanceof RedisRefusal) this.#refusals.add(error.message);
    this.#options.onAway(error);
  }

  #tryAgain(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(async () => {
      try {
        const link = await this.#connect();
        if (this.#closed) link.close();
        else this.#return(link);
      } catch (error) {
        if (error instanceof RedisRefusal && !this.#refusals.has(error.message)) {
          this.#reportAway(error);
        }
        this.#tryAgain();
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

/** A refusal has nothing remaining, so it is always the lower one. */
function lower<T extends Quota>(inRedis: T, ofShare: T): T {
  return inRedis.remaining <= ofShare.remaining ? inRedis : ofShare;
}
