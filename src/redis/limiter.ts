import type { RedisClient } from 'bun';
import type { Caller, Decision, Limiter, Standing } from '../domain/rate-limit.ts';
import { connectRedis, within } from './connection.ts';
import { runTakeScript } from './take-script.ts';

const ANSWER_MS = 50;
const RETRY_MS = 250;
/** A pause of this process makes one command late; several in a row are Redis's doing. */
const FAILURES_TO_GIVE_UP = 3;

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
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: RedisLimiterOptions) {
    this.#options = options;
  }

  /** Starts without Redis when that is away, and takes it up when it comes. */
  static async open(options: RedisLimiterOptions): Promise<RedisLimiter> {
    const limiter = new RedisLimiter(options);
    try {
      limiter.#client = await connectRedis(options.url);
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
        const nowMs = this.#options.now?.();
        const decision = await within(ANSWER_MS, runTakeScript(client, mode, caller, nowMs));
        this.#failures = 0;
        return decision;
      } catch (error) {
        this.#failures++;
        const isLost = !client.connected || this.#failures >= FAILURES_TO_GIVE_UP;
        if (isLost && client === this.#client) this.#giveUp(error);
      }
    }
    return this.#options.fallback[mode](this.#shareOf(caller));
  }

  #shareOf(caller: Caller): Caller {
    const { instances } = this.#options;
    const share = (limit: number) => Math.max(1, Math.floor(limit / instances));
    const { perMinute, perDay } = caller.limits;
    return { ...caller, limits: { perMinute: share(perMinute), perDay: share(perDay) } };
  }

  #giveUp(error: unknown): void {
    this.#client?.close();
    this.#client = undefined;
    this.#options.onAway(error);
    this.#tryAgain();
  }

  #tryAgain(): void {
    this.#retry = setTimeout(async () => {
      try {
        const client = await connectRedis(this.#options.url);
        if (this.#closed) {
          client.close();
          return;
        }
        this.#client = client;
        this.#failures = 0;
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
