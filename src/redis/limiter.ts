import type { RedisClient } from 'bun';
import type { Caller, Decision, Limiter, Standing } from '../domain/rate-limit.ts';
import { connectRedis, within } from './connection.ts';
import { runTakeScript } from './take-script.ts';

const SILENCE_MS = 50;
const PAUSE_MS = 10;
const RETRY_MS = 250;
const PROBE_MS = 500;
const SILENCES_TO_GIVE_UP = 3;

/** Counted when Redis is taken up again, to see that it can be written and knows the script. */
const PROBE: Caller = { subject: 'probe', limits: { perMinute: 1e9, perDay: 1e9 } };

export interface RedisLimiterOptions {
  readonly url: string;
  /** Counts for this instance alone while Redis is away. */
  readonly fallback: Limiter;
  /** How many instances share the limits then. */
  readonly instances: number;
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
  /** Replaces Redis's own clock, in tests. */
  readonly now?: () => number;
}

/** Counts in Redis, for all instances together; in process, for as long as Redis is away. */
export class RedisLimiter implements Limiter, AsyncDisposable {
  readonly #options: RedisLimiterOptions;
  #client: RedisClient | undefined;
  #answeredAtMs = 0;
  #silences = 0;
  #silentSinceMs = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: RedisLimiterOptions) {
    this.#options = options;
  }

  /** Starts without Redis when that is away, and takes it up when it comes. */
  static async open(options: RedisLimiterOptions): Promise<RedisLimiter> {
    const limiter = new RedisLimiter(options);
    try {
      limiter.#client = await limiter.#connect();
    } catch (error) {
      limiter.#giveUp(error);
    }
    return limiter;
  }

  take(caller: Caller): Promise<Decision> {
    return this.#decide('take', caller);
  }

  peek(caller: Caller): Promise<Standing> {
    return this.#decide('peek', caller);
  }

  async #decide(mode: 'take' | 'peek', caller: Caller): Promise<Decision> {
    const client = this.#client;
    if (client !== undefined) {
      try {
        return await this.#ask(client, mode, caller);
      } catch (error) {
        if (client === this.#client && this.#isLost(client)) this.#giveUp(error);
      }
    }
    return this.#options.fallback[mode](this.#shareOf(caller));
  }

  /** Fails when Redis is silent for too long: to this command, and to all others meanwhile. */
  async #ask(client: RedisClient, mode: 'take' | 'peek', caller: Caller): Promise<Decision> {
    const startedAtMs = performance.now();
    const { promise: silence, reject } = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    const listen = (milliseconds: number): void => {
      const dueAtMs = performance.now() + milliseconds;
      timer = setTimeout(() => {
        const nowMs = performance.now();
        const silentMs = nowMs - Math.max(startedAtMs, this.#answeredAtMs);
        // Where this process itself paused, Redis was not given the time to answer.
        if (nowMs - dueAtMs > PAUSE_MS) listen(SILENCE_MS);
        else if (silentMs < SILENCE_MS) listen(SILENCE_MS - silentMs);
        else reject(new Error(`Redis is silent for ${SILENCE_MS} ms`));
      }, milliseconds);
    };
    listen(SILENCE_MS);
    try {
      const asked = runTakeScript(client, mode, caller, this.#options.now?.());
      const decision = await Promise.race([asked, silence]);
      this.#answeredAtMs = performance.now();
      this.#silences = 0;
      return decision;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Commands that fail together are one silence. */
  #isLost(client: RedisClient): boolean {
    const nowMs = performance.now();
    if (this.#silences === 0 || nowMs - this.#silentSinceMs >= SILENCE_MS) {
      this.#silences++;
      this.#silentSinceMs = nowMs;
    }
    return !client.connected || this.#silences >= SILENCES_TO_GIVE_UP;
  }

  #shareOf(caller: Caller): Caller {
    const { instances } = this.#options;
    const share = (limit: number) => Math.max(1, Math.floor(limit / instances));
    const { perMinute, perDay } = caller.limits;
    return { ...caller, limits: { perMinute: share(perMinute), perDay: share(perDay) } };
  }

  async #connect(): Promise<RedisClient> {
    const client = await connectRedis(this.#options.url);
    try {
      await within(PROBE_MS, runTakeScript(client, 'take', PROBE, undefined));
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  #giveUp(error: unknown): void {
    if (this.#closed) return;
    this.#client?.close();
    this.#client = undefined;
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
        this.#client = client;
        this.#silences = 0;
        this.#options.onBack();
      } catch {
        if (!this.#closed) this.#tryAgain();
      }
    }, RETRY_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#client?.close();
  }
}
