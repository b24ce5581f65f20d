import { SQLiteError } from 'bun:sqlite';
import { StoreUnavailableError } from '../domain/error.ts';

/** SQLite's codes for trouble with the file, the disk or a lock, not with the program. */
const UNAVAILABLE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM)/;

export function isUnavailable(code: string): boolean {
  return UNAVAILABLE.test(code);
}

export function isDamaged(code: string): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

export function isLocked(code: string): boolean {
  return code.startsWith('SQLITE_BUSY');
}

/** A restore would lose pets, for a file that has none. */
export const IF_COUNTS_ARE_DAMAGED =
  'Stop the service, and delete the file or move it away: that loses at most the counts and bans of today.';

/** For the log: the file that a write failed on, and the next step. */
export function explainFailedWrite(
  path: string,
  code: string,
  message: string,
  ifDamaged = 'Stop the service and restore a backup.',
): string {
  const text = `Cannot write ${path}: ${message}.`;
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
