import type { RedisClient } from 'bun';
import type { Caller, Decision, Limiter, Standing } from '../domain/rate-limit.ts';
import { connectRedis } from './connection.ts';
import { RedisClock } from './redis-clock.ts';
import { Shares } from './shares.ts';
import { type Report, runSettle, runTake, type Settlement } from './take-script.ts';

/** Redis is away after this long without a response. Virtual machines often pause for less. */
const SILENCE_MS = 1_000;
const SILENT_TICKS = 10;
const RETRY_MS = 250;

/**
 * Longer than two instances can be apart when Redis returns: a retry, and a connection attempt that
 * began while it was away.
 */
const HOLD_MS = 1_500;

/** Counted when Redis returns, to see that the script runs and can write. */
const PROBE: Caller = { subject: 'probe', limits: { perMinute: 1e9, perDay: 1e9 } };

export interface RedisLimiterOptions {
  readonly url: string;
  /** How many instances share the limits while Redis is away. */
  readonly instances: number;
  /** The clock of this machine, used until Redis has reported its time. */
  readonly now: () => number;
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** Replaces Redis's clock, in tests. */
  readonly redisNow?: (() => number) | undefined;
  /** Replaces `SILENCE_MS`, in tests. */
  readonly silenceMs?: number;
  /** Replaces `HOLD_MS`, in tests. */
  readonly holdMs?: number;
}

interface Connection {
  readonly client: RedisClient;
  /** Redis is back, but its counts may still lack requests that other instances admitted. */
  isHolding: boolean;
}

/** Counts in Redis, for all instances together, and in process while Redis is away. */
export class RedisLimiter implements Limiter, AsyncDisposable {
  readonly #options: RedisLimiterOptions;
  readonly #shares: Shares;
  readonly #clock = new RedisClock();
  readonly #watch: NodeJS.Timeout;
  #connection: Connection | undefined;
  #pending = 0;
  #silentTicks = 0;
  /** The next attempt to connect, or the end of the hold. */
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: RedisLimiterOptions) {
    this.#options = options;
    this.#shares = new Shares(options.instances);
    const tickMs = (options.silenceMs ?? SILENCE_MS) / SILENT_TICKS;
    this.#watch = setInterval(() => this.#tick(), tickMs);
  }

  /** Starts without Redis if that is away, and uses it as soon as it can be reached. */
  static async open(options: RedisLimiterOptions): Promise<RedisLimiter> {
    const limiter = new RedisLimiter(options);
    try {
      limiter.#use({ client: await limiter.#connect(), isHolding: false });
    } catch (error) {
      options.onAway(error);
      limiter.#tryAgain();
    }
    return limiter;
  }

  async take(caller: Caller): Promise<Decision> {
    const connection = this.#connection;
    const sentAtMs = this.#nowMs();
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
      return this.#shares.take(caller, this.#nowMs()).decision;
    }
  }

  async peek(caller: Caller): Promise<Standing> {
    const connection = this.#connection;
    const sentAtMs = this.#nowMs();
    if (connection === undefined) return this.#shares.peek(caller, sentAtMs);
    try {
      const standing = await this.#ask(connection, 'peek', caller, sentAtMs);
      if (!connection.isHolding) return standing;
      return lower(standing, this.#shares.peek(caller, this.#nowMs()));
    } catch (error) {
      this.#lose(connection, error);
      return this.#shares.peek(caller, this.#nowMs());
    }
  }

  async #ask(
    { client }: Connection,
    mode: 'take' | 'peek',
    caller: Caller,
    sentAtMs: number,
  ): Promise<Decision> {
    const known = this.#shares.lastReport(caller.subject);
    const asked = runTake(client, mode, caller, known, sentAtMs, this.#options.redisNow?.());
    const { decision, usage, nowMs } = await this.#awaitReport(asked);
    this.#shares.report(caller.subject, usage, nowMs);
    return decision;
  }

  async #awaitReport<R extends Report>(asked: Promise<R>): Promise<R> {
    this.#pending++;
    try {
      const report = await asked;
      this.#silentTicks = 0;
      this.#clock.observe(report.nowMs, performance.now());
      return report;
    } finally {
      this.#pending--;
    }
  }

  /** Counts ticks, not time: a pause of this process is one tick, however long it was. */
  #tick(): void {
    this.#silentTicks = this.#pending === 0 ? 0 : this.#silentTicks + 1;
    if (this.#connection === undefined || this.#silentTicks <= SILENT_TICKS) return;
    const { silenceMs = SILENCE_MS } = this.#options;
    this.#lose(this.#connection, new Error(`Redis was silent for ${silenceMs} ms`));
  }

  /** Windows are those of Redis's clock, also while it is away. */
  #nowMs(): number {
    const { redisNow, now } = this.#options;
    if (redisNow !== undefined) return redisNow();
    return this.#clock.nowMs(performance.now()) ?? now();
  }

  #connect(): Promise<RedisClient> {
    return connectRedis(this.#options.url, (client) =>
      this.#awaitReport(runTake(client, 'take', PROBE, undefined, this.#nowMs(), undefined)),
    );
  }

  #use(connection: Connection): void {
    this.#connection = connection;
    this.#silentTicks = 0;
    connection.client.onclose = (error) => this.#lose(connection, error);
  }

  /** Settles at once, and decides in Redis alone when the other instances had time to settle too. */
  #return(client: RedisClient): void {
    const connection = { client, isHolding: true };
    this.#use(connection);
    // Redis runs the commands of a connection in order, so it settles before it decides again.
    const settled = Array.from(this.#shares.unsettled(), ([subject, settlement]) =>
      this.#settle(connection, subject, settlement),
    );
    this.#timer = setTimeout(async () => {
      await Promise.all(settled);
      if (connection !== this.#connection) return;
      connection.isHolding = false;
      this.#shares.endAway();
      this.#options.onBack();
    }, this.#options.holdMs ?? HOLD_MS);
  }

  /** Without a response the requests stay unsettled: they may then be counted twice, never lost. */
  async #settle(connection: Connection, subject: string, settlement: Settlement): Promise<void> {
    try {
      const settled = runSettle(connection.client, subject, settlement, this.#options.redisNow?.());
      const { usage, nowMs } = await this.#awaitReport(settled);
      if (connection === this.#connection) this.#shares.settle(subject, settlement, usage, nowMs);
    } catch (error) {
      this.#lose(connection, error);
    }
  }

  #lose(connection: Connection, error: unknown): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    clearTimeout(this.#timer);
    connection.client.close();
    if (!connection.isHolding) this.#options.onAway(error);
    this.#tryAgain();
  }

  #tryAgain(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(async () => {
      try {
        const client = await this.#connect();
        if (this.#closed) client.close();
        else this.#return(client);
      } catch {
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
    connection?.client.close();
  }
}

/** A refusal has nothing remaining, so it is always the lower one. */
function lower<T extends Standing>(inRedis: T, ofShare: T): T {
  return inRedis.remaining <= ofShare.remaining ? inRedis : ofShare;
}
