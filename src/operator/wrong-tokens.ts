import { MINUTE_MS } from '../domain/durations.ts';
import { addressSubject } from '../domain/rate-limit.ts';

const WRONG_PER_MINUTE = 10;
/** The oldest is dropped above this, so that many addresses cannot fill the memory. */
const MAX_ADDRESSES = 10_000;

interface Attempts {
  readonly sinceMs: number;
  readonly wrong: Set<string>;
}

/** Limits wrong tokens by address. */
export class WrongTokens {
  readonly #now: () => number;
  readonly #byAddress = new Map<string, Attempts>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds until this address may try again. Undefined if it may try now. */
  retryAfterSeconds(address: string): number | undefined {
    const attempts = this.#current(address);
    if (attempts === undefined || attempts.wrong.size < WRONG_PER_MINUTE) return undefined;
    const waitMs = attempts.sinceMs + MINUTE_MS - this.#now();
    return Math.max(1, Math.ceil(waitMs / 1000));
  }

  /**
   * Counts a wrong attempt, unless the same address made an attempt with the same name before: a page
   * that repeats a cookie from before a restart does not guess.
   */
  record(address: string, name?: string): void {
    const attempts = this.#current(address) ?? this.#add(address);
    attempts.wrong.add(name ?? `attempt ${attempts.wrong.size}`);
  }

  #current(address: string): Attempts | undefined {
    const attempts = this.#byAddress.get(subjectOf(address));
    if (attempts === undefined) return undefined;
    const ageMs = this.#now() - attempts.sinceMs;
    return ageMs >= 0 && ageMs < MINUTE_MS ? attempts : undefined;
  }

  #add(address: string): Attempts {
    const attempts = { sinceMs: this.#now(), wrong: new Set<string>() };
    const subject = subjectOf(address);
    // Deleted first, so that the map is in the order of time.
    this.#byAddress.delete(subject);
    this.#byAddress.set(subject, attempts);
    const [oldest = ''] = this.#byAddress.keys();
    if (this.#byAddress.size > MAX_ADDRESSES) this.#byAddress.delete(oldest);
    return attempts;
  }
}

/** Everybody on this machine can use all 16 million addresses of 127.0.0.0/8. */
function subjectOf(address: string): string {
  const subject = addressSubject(address);
  return subject.startsWith('address:127.') ? 'address:127.0.0.1' : subject;
}
