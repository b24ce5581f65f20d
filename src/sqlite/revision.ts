import type { Database } from 'bun:sqlite';

const FRESH_MS = 1;

/**
 * Tells when something that was read is no longer what it was. SQLite knows whether another
 * connection has written anything; only then is the file's own count of changes read. To ask takes
 * as long as to read an animal, so it is done once a millisecond at most.
 */
export class Revision {
  readonly #dataVersion;
  readonly #revision;
  #lastDataVersion = -1;
  #current = 0;
  #freshUntilMs = 0;

  /** The connection must not write: SQLite does not tell it of its own commits. */
  constructor(database: Database) {
    this.#dataVersion = database.query<{ data_version: bigint }, []>('PRAGMA data_version');
    this.#revision = database.query<{ number: bigint }, []>('SELECT number FROM revision');
  }

  read(): number {
    const nowMs = performance.now();
    if (nowMs < this.#freshUntilMs) return this.#current;
    this.#freshUntilMs = nowMs + FRESH_MS;
    const dataVersion = Number(this.#dataVersion.get()?.data_version);
    if (dataVersion !== this.#lastDataVersion) {
      this.#lastDataVersion = dataVersion;
      this.#current = Number(this.#revision.get()?.number);
    }
    return this.#current;
  }

  /** This process has changed something: whoever reads next must see it. */
  expire(): void {
    this.#freshUntilMs = 0;
  }
}
