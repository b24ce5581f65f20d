import type { RedisClient } from 'bun';
import type { Caller, Decision, Limiter, Standing } from '../domain/rate-limit.ts';
import { connectRedis, within } from './connection.ts';
import { Shares } from './shares.ts';
import { type Report, runSettle, runTake, type Settlement } from './take-script.ts';

/** Redis is away after this long without a response. Virtual machines often pause for less. */
const SILENCE_MS = 1_000;
const SILENT_TICKS = 10;
const RETRY_MS = 250;
const PROBE_MS = 2_000;

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
}

/** Counts in Redis, for all instances together, and in process while Redis is away. */
export class RedisLimiter implements Limiter, AsyncDisposable {
  readonly #options: RedisLimiterOptions;
  readonly #shares: Shares;
  readonly #watch: NodeJS.Timeout;
  #client: RedisClient | undefined;
  #pending = 0;
  #silentTicks = 0;
  /** Redis's clock minus the monotonic clock of this process. */
  #offsetMs: number | undefined;
  #retry: NodeJS.Timeout | undefined;
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
      limiter.#use(await limiter.#connect());
    } catch (error) {
      limiter.#goAway(error);
    }
    return limiter;
  }

  async take(caller: Caller): Promise<Decision> {
    const client = this.#client;
    if (client !== undefined) {
      this.#shares.send(caller.subject, this.#nowMs());
      try {
        return await this.#ask(client, 'take', caller);
      } catch (error) {
        this.#lose(client, error);
      }
    }
    return this.#shares.take(caller, this.#nowMs());
  }

  async peek(caller: Caller): Promise<Standing> {
    const client = this.#client;
    if (client !== undefined) {
      try {
        return await this.#ask(client, 'peek', caller);
      } catch (error) {
        this.#lose(client, error);
      }
    }
    return this.#shares.peek(caller, this.#nowMs());
  }

  async #ask(client: RedisClient, mode: 'take' | 'peek', caller: Caller): Promise<Decision> {
    const asked = runTake(client, mode, caller, this.#nowMs(), this.#options.redisNow?.());
    const { decision, usage, nowMs } = await this.#awaitReport(asked);
    this.#shares.report(caller.subject, usage, nowMs);
    return decision;
  }

  async #awaitReport<R extends Report>(asked: Promise<R>): Promise<R> {
    this.#pending++;
    try {
      const report = await asked;
      this.#silentTicks = 0;
      this.#offsetMs = report.nowMs - performance.now();
      return report;
    } finally {
      this.#pending--;
    }
  }

  /** Counts ticks, not time: a pause of this process is one tick, however long it was. */
  #tick(): void {
    this.#silentTicks = this.#pending === 0 ? 0 : this.#silentTicks + 1;
    if (this.#client === undefined || this.#silentTicks <= SILENT_TICKS) return;
    const { silenceMs = SILENCE_MS } = this.#options;
    this.#lose(this.#client, new Error(`Redis was silent for ${silenceMs} ms`));
  }

  /** Windows are those of Redis's clock, also while it is away. */
  #nowMs(): number {
    const { redisNow, now } = this.#options;
    if (redisNow !== undefined) return redisNow();
    return this.#offsetMs === undefined ? now() : this.#offsetMs + performance.now();
  }

  async #connect(): Promise<RedisClient> {
    const client = await connectRedis(this.#options.url);
    try {
      const probed = runTake(client, 'take', PROBE, this.#nowMs(), undefined);
      await within(PROBE_MS, this.#awaitReport(probed));
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  #use(client: RedisClient): void {
    this.#client = client;
    this.#silentTicks = 0;
    client.onclose = (error) => this.#lose(client, error);
    // Redis runs the commands of a connection in order, so it settles before it decides again.
    for (const [subject, settlement] of this.#shares.unsettled()) {
      this.#settle(client, subject, settlement);
    }
  }

  /** Without a response the requests stay unsettled: they may then be counted twice, never lost. */
  async #settle(client: RedisClient, subject: string, settlement: Settlement): Promise<void> {
    try {
      const settled = runSettle(client, subject, settlement, this.#options.redisNow?.());
      const { usage, nowMs } = await this.#awaitReport(settled);
      if (client === this.#client) this.#shares.settle(subject, usage, nowMs);
    } catch (error) {
      this.#lose(client, error);
    }
  }

  #lose(client: RedisClient, error: unknown): void {
    if (client !== this.#client) return;
    this.#client = undefined;
    client.close();
    this.#goAway(error);
  }

  #goAway(error: unknown): void {
    if (this.#closed) return;
    this.#options.onAway(error);
    this.#tryAgain();
  }

  #tryAgain(): void {
    this.#retry = setTimeout(async () => {
      try {
        const client = await this.#connect();
        if (this.#closed) {
          client.close();
          return;
        }
        this.#use(client);
        this.#options.onBack();
      } catch {
        if (!this.#closed) this.#tryAgain();
      }
    }, RETRY_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    this.#client?.close();
  }
}
