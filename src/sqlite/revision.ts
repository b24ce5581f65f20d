import type { Database } from 'bun:sqlite';
import type { Revision } from '../domain/revision.ts';
import { reading } from './database.ts';

const FRESH_MS = 5;

/**
 * Tells when something that was read is no longer what it was. SQLite knows whether another
 * connection has written anything; only then is the file's own count of changes read. To ask takes
 * as long as to read an animal, so it is done once in five milliseconds at most.
 */
export class SqliteRevision implements Revision {
  readonly #dataVersion;
  readonly #revision;
  #writes = -1;
  #changes = 0;
  #freshUntilMs = 0;

  /** The connection must not write: SQLite does not tell it of its own commits. */
  constructor(database: Database) {
    this.#dataVersion = database.query<{ data_version: bigint }, []>('PRAGMA data_version');
    this.#revision = database.query<{ number: bigint }, []>('SELECT number FROM revision');
  }

  readonly changes = (): number => {
    this.#refresh();
    return this.#changes;
  };

  readonly writes = (): number => {
    this.#refresh();
    return this.#writes;
  };

  readonly expire = (): void => {
    this.#freshUntilMs = 0;
  };

  #refresh(): void {
    const nowMs = performance.now();
    if (nowMs < this.#freshUntilMs) return;
    reading(() => {
      const writes = Number(this.#dataVersion.get()?.data_version);
      if (writes === this.#writes) return;
      this.#changes = Number(this.#revision.get()?.number);
      this.#writes = writes;
    });
    this.#freshUntilMs = nowMs + FRESH_MS;
  }
}
