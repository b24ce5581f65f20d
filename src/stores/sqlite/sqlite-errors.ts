import { SQLiteError } from 'bun:sqlite';
import { StoreUnavailableError } from '../../domain/error.ts';

/** SQLite's codes for trouble with the file, the disk or a lock, not with the program. */
const UNAVAILABLE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/;

/** A problem of a file, in words for the operator. `code` is SQLite's. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

export function isUnavailable(code: string): boolean {
  return UNAVAILABLE.test(code);
}

export function isDamaged(code = ''): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

export function isLocked(code: string): boolean {
  return code.startsWith('SQLITE_BUSY');
}

/** A restore would lose pets, for a file that has none. */
export const IF_COUNTS_ARE_DAMAGED =
  'Stop the service, and delete the file or move it away: that loses at most the counts and bans of today.';

/** SQLite also takes one failed read of a healthy file for damage. */
const IF_DATA_IS_DAMAGED = 'Restart the service. If this comes back, restore a backup.';

/** The file that a read or write failed on, and the next step. */
export function explainFailure(
  action: string,
  { code = '', message }: { code?: string | undefined; message: string },
  ifDamaged = IF_DATA_IS_DAMAGED,
): string {
  const text = `Cannot ${action}: ${message}.`;
  if (isDamaged(code)) return `${text} It is damaged. ${ifDamaged}`;
  if (isLocked(code)) return `${text} Another program locks it.`;
  return text;
}

/** Runs a query. Throws `StoreUnavailableError` when the file cannot be used right now. */
export function reading<T>(query: () => T): T {
  try {
    return query();
  } catch (error) {
    const isAway = error instanceof SQLiteError && isUnavailable(error.code ?? '');
    throw isAway ? new StoreUnavailableError(error) : error;
  }
}

export type Reading = typeof reading;

/**
 * Remembers that SQLite found the data file damaged. A file that is damaged in one place must take no
 * more pets, even where it can be written. Only a restart ends this.
 */
export class Damage {
  readonly #path: string;
  #found: StoreUnavailableError | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws `StoreUnavailableError` once damage was found. */
  check(): void {
    if (this.#found !== undefined) throw this.#found;
  }

  /** Takes note of a failed read or write. */
  note(error: FileError): void {
    if (isDamaged(error.code)) this.#found ??= new StoreUnavailableError(error);
  }

  /** Runs a query like the function `reading`, and takes note of damage. */
  readonly reading: Reading = (query) => {
    try {
      return reading(query);
    } catch (error) {
      const { cause } = error as Error;
      if (cause instanceof SQLiteError && isDamaged(cause.code)) {
        this.note(new FileError(explainFailure(`read ${this.#path}`, cause), cause.code));
        this.check();
      }
      throw error;
    }
  };
}
