import type { Database } from 'bun:sqlite';

const FRESH_MS = 1;

/**
 * Tells whether somebody has written to the file: SQLite counts the commits of other connections.
 * To ask takes as long as to read an animal, so it is done once a millisecond at most; what this
 * process writes itself, it says with `expire`.
 */
export class FileVersion {
  readonly #query;
  #current = 0;
  #freshUntilMs = 0;

  /** The connection must not write: its own commits are not counted. */
  constructor(database: Database) {
    this.#query = database.query<{ data_version: number | bigint }, []>('PRAGMA data_version');
  }

  read(): number {
    const nowMs = performance.now();
    if (nowMs < this.#freshUntilMs) return this.#current;
    this.#current = Number(this.#query.get()?.data_version);
    this.#freshUntilMs = nowMs + FRESH_MS;
    return this.#current;
  }

  /** Something was written: whoever reads next must see it. */
  expire(): void {
    this.#freshUntilMs = 0;
  }
}
