import { OperatorError, StoreUnavailableError } from '#domain/error.ts';

/** The codes of SQLite, or of the system, for trouble with the file, the disk or a lock, and not with this program. */
const UNAVAILABLE =
  /^(E[A-Z]+$|SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM))/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/;

export const NAME_ANOTHER_FILE = 'name another file with --database or DATABASE_URL.';

/** SQLite also reports damage if it once failed to read a healthy file, so a restart may help. */
const IF_DATA_IS_DAMAGED = `Restart the service. If this comes back, restore a backup, or ${NAME_ANOTHER_FILE}`;

/** Does not advise a restore, which could lose pets, while this file has none. */
export const IF_COUNTS_ARE_UNUSABLE =
  'Stop the service, and delete the file or move it away: that loses at most the counts and bans of today.';

/** The next step for the operator, by the code of SQLite or of the system. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/BUSY/, 'Another program locks it.'],
  [
    /SHORT_READ/,
    'The -wal file was cut, and the newest changes may be lost. ' +
      'Restart all programs that use the store, and compare it with a backup.',
  ],
  [/IOERR/, 'Check the disk, which may be full.'],
  [
    /EACCES|EPERM|EROFS|CANTOPEN|READONLY/,
    'Run this as the user of the service, who must be able to write the file and its folder.',
  ],
];

/** The part of an error of SQLite or of the system that messages need. */
export interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
}

/** A file that cannot be used, in words for the operator. */
export class FileError extends OperatorError {
  constructor(
    message: string,
    /** The code of SQLite or of the system. */
    readonly code?: string,
  ) {
    super(message);
  }
}

export function isUnavailable(code = ''): boolean {
  return UNAVAILABLE.test(code);
}

export function isDamaged(code = ''): boolean {
  return DAMAGED.test(code);
}

export function isLocked(code = ''): boolean {
  return code.startsWith('SQLITE_BUSY');
}

/** The code that SQLite or the system gave, behind a `StoreUnavailableError`. */
export function codeOf(error: unknown): string | undefined {
  return ((error as Error).cause as Failure | undefined)?.code;
}

/** An error that names the file, the reason and the next step. */
export function cannotUseFile(
  path: string,
  { code = '', message }: Failure,
  ifDamaged = IF_DATA_IS_DAMAGED,
): FileError {
  // Node's form is "EACCES: permission denied, mkdir '/path'".
  const reason = message.replace(/^E[A-Z]+: (.+?), \w+ .*$/, '$1');
  const [, step] = STEPS.find(([codes]) => codes.test(code)) ?? [];
  const next = step ?? (isDamaged(code) ? ifDamaged : '');
  return new FileError(`Cannot use ${path}: ${reason}. ${next}`.trimEnd(), code);
}

export type RunQuery = <T>(query: () => T) => T;

/** Returns a function that runs queries on a file. It throws `StoreUnavailableError` if the file cannot be used. */
export function queryRunner(path: string, ifDamaged?: string): RunQuery {
  return (query) => {
    try {
      return query();
    } catch (error) {
      if (error instanceof FileError) throw new StoreUnavailableError(error);
      const failure = error as Failure;
      if (!isUnavailable(failure.code)) throw error;
      throw new StoreUnavailableError(cannotUseFile(path, failure, ifDamaged));
    }
  };
}

/**
 * Remembers that SQLite found the data file damaged. A file that is damaged in one place must not accept more
 * pets, even where it can still be written. Only a restart ends this.
 */
export class Damage {
  /** The error that requests get once damage was found. */
  found: StoreUnavailableError | undefined;

  constructor(private readonly read: RunQuery) {}

  /** Throws `StoreUnavailableError` once damage was found. */
  check(): void {
    if (this.found) throw this.found;
  }

  /** Looks at the error of a failed read or write. */
  note(error: unknown): void {
    if (!(error instanceof FileError && isDamaged(error.code))) return;
    this.found ??= new StoreUnavailableError(error);
  }

  /** Runs a query, and notes damage that it finds. */
  readonly runQuery: RunQuery = (query) => {
    try {
      return this.read(query);
    } catch (error) {
      this.note((error as Error).cause);
      throw error;
    }
  };
}
