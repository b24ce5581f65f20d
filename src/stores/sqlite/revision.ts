import type { Database } from 'bun:sqlite';
import type { Revision } from '../../domain/revision.ts';
import type { Reading } from './sqlite-errors.ts';

const FRESH_MS = 5;

/**
 * SQLite knows whether another connection has written. Only then is the file's own count of changes
 * read. Asking takes as long as reading a pet, so it happens at most once in five milliseconds.
 */
export class SqliteRevision implements Revision {
  readonly #reading: Reading;
  readonly #dataVersion;
  readonly #changeCount;
  #writes = -1;
  #changes = 0;
  #freshUntilMs = 0;

  /** The connection must not write: SQLite does not report a connection's own commits. */
  constructor(database: Database, reading: Reading) {
    this.#reading = reading;
    this.#dataVersion = database.query<{ data_version: bigint }, []>('PRAGMA data_version');
    this.#changeCount = database.query<{ number: bigint }, []>('SELECT number FROM revision');
  }

  readonly changes = (): number => {
    this.#refresh();
    return this.#changes;
  };

  readonly writes = (): number => {
    this.#refresh();
    return this.#writes;
  };

  /** This process has written: the next read must see it. */
  readonly expire = (): void => {
    this.#freshUntilMs = 0;
  };

  #refresh(): void {
    const nowMs = performance.now();
    if (nowMs < this.#freshUntilMs) return;
    this.#reading(() => {
      const writes = Number(this.#dataVersion.get()?.data_version);
      if (writes === this.#writes) return;
      this.#changes = Number(this.#changeCount.get()?.number);
      this.#writes = writes;
    });
    this.#freshUntilMs = nowMs + FRESH_MS;
  }
}
