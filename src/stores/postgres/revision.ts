import { type Revision, revisionByTime } from '#domain/backend.ts';
import type { Pool } from './pool.ts';

/** A revocation must take effect within a second, so a response of the server is used for at most half a second. */
const TRUSTED_MS = 500;
const ASK_MS = 200;

/**
 * The revision of a store that other instances change as well. It asks the server several times a second whether
 * anything has changed. While the server does not respond, the revision is the time.
 */
export class PostgresRevision implements Revision, Disposable {
  readonly #byTime: Revision;
  readonly #timer: Timer;
  /** The last response of the server, and the time at which the server was asked. */
  #seen = '';
  #askedAtMs = -Infinity;
  /** Negative, so that it differs from every revision by time. It never returns to an earlier number. */
  #number = -1;
  #isAsking = false;

  /** `elapsed` is a monotonic clock. */
  constructor(
    private readonly pool: Pool,
    private readonly elapsed: () => number,
  ) {
    this.#byTime = revisionByTime(elapsed, TRUSTED_MS);
    this.#timer = setInterval(() => this.#ask(), ASK_MS);
  }

  readonly changes = () =>
    this.elapsed() - this.#askedAtMs < TRUSTED_MS ? this.#number : this.#byTime.changes();

  readonly expire = () => {
    this.#number--;
    this.#byTime.expire();
  };

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const askedAtMs = this.elapsed();
    const [row] = await this.pool.query<{ revision: string }>('SELECT revision()').catch(() => []);
    this.#isAsking = false;
    if (row === undefined) return;
    if (row.revision !== this.#seen) this.#number--;
    this.#seen = row.revision;
    this.#askedAtMs = askedAtMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
