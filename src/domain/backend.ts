import type { KeyFinder } from './api-key.ts';
import type { CountsJournal, SavedCounts } from './counts-journal.ts';
import type { EnvironmentStore } from './environment.ts';
import type { AccountStore } from './operator/account-store.ts';
import type { AuditReader, Origin } from './operator/audit.ts';
import type { HistoryReader, HistoryWriter } from './operator/history.ts';
import type { OperatorPets } from './operator/operator-pets.ts';
import type { OperatorRegistry } from './operator/operators.ts';
import type { Export, LastIds, RecordCounts, StoreRecord } from './operator/transfer.ts';
import type { PetStore } from './pet.ts';

export interface BackendOptions {
  readonly url: string;
  readonly connections: number;
  /** A request that waits longer than this is refused. Its pet may still be committed later. */
  readonly timeoutMs: number;
  /** The setting or option that the URL comes from, for messages. */
  readonly setting: string;
  /** The origin of the changes of commands. */
  readonly origin: Origin;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number;
}

/** A database at a URL. Every method throws `OperatorError` if the database cannot be used. */
export interface Backend {
  /** SQLite runs inside this process, and only one instance can use it. */
  readonly name: 'sqlite' | 'postgresql';
  /** The place of the store in a form that operators may see, without a password. */
  readonly description: string;
  /**
   * Opens the store to serve requests. Creates it if necessary, and migrates its schema. Calls `onCommit` with the
   * number of creations in each commit, and `onWarning` with a line that the operator should read.
   */
  openStore(
    onCommit?: (creations: number) => void,
    onWarning?: (message: string) => void,
  ): Promise<Store>;
  /**
   * Opens the store for a command, which may run at the same time as services. Throws `OperatorError`, and changes
   * nothing, unless a service of this version has used the store.
   */
  openForCommand(): Promise<OperatorStore & AsyncDisposable>;
  /**
   * Creates the store if necessary, and imports everything or nothing. Throws `OperatorError` if the store is not
   * empty. An error thrown by `batches` undoes the import. A record that is added later gets a greater id than the
   * last id of its kind.
   */
  importAll(batches: AsyncIterable<readonly StoreRecord[]>, lastIds: LastIds): Promise<void>;
  /** Makes backups of the store, or says which tools of the database make them. */
  readonly backups: FileBackups | BackupTools;
}

/** Backups that this program makes of the file of a store. */
export interface FileBackups {
  readonly kind: 'file';
  /** Writes a backup while services may run, verifies it, and adds an audit entry unless the store is read-only. */
  backup(
    file: string,
    options: Pick<RestoreOptions, 'force'>,
  ): Promise<{ readonly counts: RecordCounts; readonly isAudited: boolean }>;
  /** Makes the store from a backup, or changes nothing. Returns what the backup contains. */
  restore(file: string, options: RestoreOptions): Promise<RecordCounts>;
}

/** The last backup that was made with `FileBackups`. Both are 0 if there was none. */
export interface LastBackup {
  readonly atMs: number;
  readonly bytes: number;
}

/** Describes the tools for backups that a database has. An operator can paste the last line of each text into a shell. */
interface BackupTools {
  readonly kind: 'tools';
  howToBackup(file: string): string;
  howToRestore(file: string): string;
}

export const UNDONE_BY_RESTORE =
  'Revocations, suspensions and removals after the backup are undone';

/** Advice for an operator who is about to restore. After the restore, nothing shows which changes were undone. */
export const BEFORE_RESTORE = `${UNDONE_BY_RESTORE}: note them from "audit" first.`;

export interface RestoreOptions {
  /** Replace the target if it exists. */
  readonly force?: boolean;
  /** Create the store if it does not exist. */
  readonly create?: boolean;
}

/** Everything that a service stores. */
export interface Store extends AsyncDisposable {
  readonly keys: KeyFinder;
  readonly pets: PetStore;
  /** Makes changes by the service itself. The audit shows `serve` as their origin. */
  readonly accounts: AccountStore;
  readonly revision: Revision;
  readonly journal: CountsJournal;
  readonly history: HistoryReader & HistoryWriter;
  /**
   * Opens a store for the console. It shares the connections of the service, and closes with them. It must not import
   * or export pets, because each of these needs a separate connection.
   */
  forOperator(origin: Origin): OperatorStore;
  readonly environment: EnvironmentStore;
  /** Returns false if only a restart can make the store accept writes again. */
  isAlive(): boolean;
  /** The size of the store without its logs. Returns at once, and undefined while the size is not known. */
  readonly sizeBytes: () => number | undefined;
  /** The size of the log of recent commits, if this process can see it. */
  readonly logBytes?: () => number;
  /** Returns at once, and undefined while it is not known. Absent if the database has tools for backups. */
  readonly lastBackup?: () => LastBackup | undefined;
  /** The connections to the server, if there is one. */
  readonly pools?: () => readonly PoolLoad[];
  /**
   * Returns true if the store can be read, accepts writes and would keep them in a power cut. Creations may fail
   * nevertheless, for example on a full disk. May throw `StoreUnavailableError` instead of returning false.
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
 * Numbers that change when a store changes. A cached value is valid as long as its number stays the same. Both
 * numbers throw `StoreUnavailableError` if the store cannot be read. `sqliteRevision` or `postgresRevision`.
 */
export interface Revision {
  /** Changes when an existing key, account or pet changes or is removed, but not when one is added. */
  readonly changes: () => number;
  /** Changes with every write. Absent if the store does not report writes. */
  readonly writes?: () => number;
  /** Call this after a write of this process, so that the next read of the numbers asks the store again. */
  readonly expire: () => void;
}

/** The load of a group of connections to a server. */
export interface PoolLoad {
  /** The name of the group, which says what its connections are used for. */
  readonly pool: string;
  readonly inUse: number;
  /** Queries for which no connection was free. */
  readonly waiting: number;
}

/**
 * Everything that operators use, with a command or in the console. Every change writes an audit entry in the same
 * transaction, with the origin that the store was opened with.
 */
export interface OperatorStore {
  readonly accounts: AccountStore;
  readonly pets: OperatorPets;
  readonly history: HistoryReader;
  /** Absent if the counts are not kept next to the store. */
  openCounts?(): SavedCounts;
  readonly audit: AuditReader;
  readonly operators: OperatorRegistry;
  readonly environment: EnvironmentStore;
  openExport(): Promise<Export>;
}
