import type { KeyFinder } from './api-key.ts';
import type { CountsJournal, SavedCounts } from './counts-journal.ts';
import type { EnvironmentStore } from './environment.ts';
import type { AccountStore } from './operator/account-store.ts';
import type { AuditReader, Origin } from './operator/audit.ts';
import type { HistoryReader, HistoryWriter } from './operator/history.ts';
import type { OperatorPets } from './operator/operator-pets.ts';
import type { Export, LastIds, RecordCounts, StoreRecord } from './operator/transfer.ts';
import type { PetStore } from './pet.ts';

export interface BackendOptions {
  readonly url: string;
  readonly connections: number;
  /** A request that waits this long is refused. Its pet may still be committed later. */
  readonly timeoutMs: number;
  /** The setting or option that gave the URL, for messages. */
  readonly setting: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number;
}

/** A database at a URL. Every method throws `OperatorError` when it cannot be used. */
export interface Backend {
  /** SQLite runs inside this process, for one instance only. */
  readonly name: 'sqlite' | 'postgresql';
  /** For the operator to read, without a password. */
  readonly description: string;
  /**
   * Opens it to serve requests. Creates it if necessary, and migrates its schema. Calls `onCommit`
   * with the number of creations in each commit.
   */
  openStore(onCommit?: (creations: number) => void): Promise<Store>;
  /**
   * Opens it for a command, which may run while services do. Throws `OperatorError`, and changes
   * nothing, unless a service of this version has used it.
   */
  openForCommand(origin: Origin): Promise<OperatorStore & AsyncDisposable>;
  /**
   * Creates the store if necessary, and imports everything or nothing. Throws `OperatorError` when
   * the store is not empty. An error thrown by `records` undoes the import. No new record gets an
   * id up to the last one of its kind.
   */
  importAll(records: AsyncIterable<StoreRecord>, lastIds: LastIds, origin: Origin): Promise<void>;
  readonly backups: FileBackups | BackupTools;
}

/** Backups that this program makes of the file of a store. */
export interface FileBackups {
  readonly kind: 'file';
  /** Writes a backup while services may run, and verifies it. Returns what it contains. */
  backup(file: string, options: Pick<RestoreOptions, 'overwrite'>): Promise<RecordCounts>;
  /** Makes the store from a backup, or changes nothing. Returns what the backup contains. */
  restore(file: string, options: RestoreOptions, origin: Origin): Promise<RecordCounts>;
}

/** For a database that has tools for backups. An operator can paste the last line of each text into a shell. */
export interface BackupTools {
  readonly kind: 'tools';
  howToBackup(file: string): string;
  howToRestore(file: string): string;
}

export const UNDONE_BY_RESTORE =
  'Revocations, suspensions and removals after the backup are undone';

/** For an operator who is about to restore. Afterwards, nothing says which they were. */
export const BEFORE_RESTORE = `${UNDONE_BY_RESTORE}: note them from "audit" first.`;

export interface RestoreOptions {
  /** Replace what exists. */
  readonly overwrite: boolean;
  /** Create the store if it does not exist. */
  readonly create: boolean;
}

/** Everything that a service stores. */
export interface Store extends AsyncDisposable {
  readonly keys: KeyFinder;
  readonly pets: PetStore;
  /** The audit shows changes through it as those of `serve`. */
  readonly accounts: AccountStore;
  readonly revision: Revision;
  readonly journal: CountsJournal;
  readonly history: HistoryWriter;
  /**
   * For the console. Shares the connections of the service, and ends with it. Not for imports and
   * exports of pets, each of which needs a connection for itself.
   */
  forOperator(origin: Origin): OperatorStore;
  readonly environment: EnvironmentStore;
  /** False when only a restart can make it accept writes again. */
  isAlive(): boolean;
  /** The size without its logs. Returns at once; undefined while it is not known. */
  readonly sizeBytes: () => number | undefined;
  /** The size of the log of recent commits, if this process can see it. */
  readonly logBytes?: () => number;
  /** The connections to the server, if there is one. */
  readonly pools?: () => readonly PoolLoad[];
  /**
   * Can be read, accepts writes and is safe. Creations may fail all the same, such as on a full disk. May throw
   * `StoreUnavailableError` instead of returning false.
   */
  isReady(): Promise<boolean>;
}

/**
 * Passes a value on to `next`, at once unless it is a promise. An `await` would also wait for a value that is
 * already there, which costs 5 % of the CPU time of a getPet. A function that takes a `context` needs no closure,
 * and closures on the path of every request can be measured as well (decision 012).
 */
export function andThen<T, Result, Context>(
  value: T | Promise<T>,
  next: (value: T, context: Context) => Result | Promise<Result>,
  context?: Context,
): Result | Promise<Result> {
  return value instanceof Promise
    ? value.then((found) => next(found, context as Context))
    : next(value, context as Context);
}

/**
 * Numbers that change when a store does. A cached value is valid while its number stays the same. Both
 * throw `StoreUnavailableError`.
 */
export interface Revision {
  /** Changes when an existing key, account or pet does, not when one is added. */
  readonly changes: () => number;
  /** Changes with every write. Absent if the store cannot tell. */
  readonly writes?: () => number;
  /** Values that were read before it are no longer valid. Called after every write of this process. */
  readonly expire: () => void;
}

/**
 * For a store that does not report changes: cached values are valid for at most this long. A clock
 * that is set back would make old ones valid again, so `elapsed` is a monotonic one.
 */
export function revisionByTime(elapsed: () => number, milliseconds: number): Revision {
  let expirations = 0;
  return {
    changes: () => Math.floor(elapsed() / milliseconds) + expirations,
    expire() {
      expirations++;
    },
  };
}

/** How busy some connections to a server are. */
export interface PoolLoad {
  /** The work that the connections are for. */
  readonly pool: string;
  readonly inUse: number;
  /** Queries for which no connection was free. */
  readonly waiting: number;
}

/**
 * Everything that operators use, by a command or in the console. Every change writes an audit entry
 * with the origin that it was opened with, in the same transaction.
 */
export interface OperatorStore {
  readonly accounts: AccountStore;
  readonly pets: OperatorPets;
  readonly history: HistoryReader;
  /** Undefined where each instance counts in its own memory. */
  openCounts(): SavedCounts | undefined;
  readonly audit: AuditReader;
  readonly environment: EnvironmentStore;
  openExport(): Promise<Export>;
}
