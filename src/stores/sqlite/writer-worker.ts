import type { CountsChanges } from '../../domain/counts-journal.ts';
import { StoreUnavailableError } from '../../domain/error.ts';
import type { PeriodKind, PeriodOfUse } from '../../domain/operator/history.ts';
import { fileCheck } from './data-file.ts';
import { openCountsDatabase, openExistingDatabase } from './database.ts';
import { IF_COUNTS_ARE_DAMAGED, isLocked, readingOf } from './sqlite-errors.ts';
import {
  prepareCountsChanges,
  prepareHistoryChanges,
  prepareRequestWrites,
  type RequestWrites,
} from './writer-statements.ts';

// The thread that creates pets, and saves counts and history. A message is the name of one of its
// writes and the argument. Messages are JSON, which takes a fifth of the time of a structured clone.

/** A lock must not hold up creations behind the counts of the limiter, the history or a probe. */
const SHORT_LOCK_MS = 100;

export interface WriterOptions {
  readonly path: string;
  /** The path that the operator gave. */
  readonly link: string;
  readonly timeoutMs: number;
}

export type Writes = ReturnType<typeof open> & { open(options: WriterOptions): void };

export interface FromWriter {
  readonly result?: unknown;
  readonly failed?: Failure;
}

export interface Failure {
  /** SQLite's. */
  readonly code?: string | undefined;
  readonly message: string;
}

declare const self: Worker & { onmessage: (event: MessageEvent<string>) => void };

let writes: Readonly<Record<string, (argument: never) => unknown>> = {
  open(options: WriterOptions) {
    writes = open(options);
  },
};

self.onmessage = ({ data }) => {
  const [name, argument] = JSON.parse(data);
  self.postMessage(JSON.stringify(respond(name, argument)));
};

function respond(name: string, argument: unknown): FromWriter {
  try {
    return { result: writes[name]?.(argument as never) };
  } catch (error) {
    const { code, message } = (
      error instanceof StoreUnavailableError ? error.cause : error
    ) as Failure;
    return { failed: { code, message } };
  }
}

function open({ path, link, timeoutMs }: WriterOptions) {
  const resources = new DisposableStack();
  const data = resources.use(openExistingDatabase(path));
  const counts = resources.use(openCountsDatabase(path));
  counts.run(`PRAGMA busy_timeout = ${SHORT_LOCK_MS}`);
  const onData = readingOf(path);
  const onCounts = readingOf(`${path}-usage`, IF_COUNTS_ARE_DAMAGED);
  // Creations that wait for a batch that waits for a lock must be in time as well.
  const lockMs = Math.floor(timeoutMs / 2);
  const waitForLock = (ms: number) => data.run(`PRAGMA busy_timeout = ${ms}`);
  waitForLock(lockMs);
  const checkFiles = fileCheck(data, link);
  const inBackground = (change: () => void) => {
    checkFiles();
    waitForLock(SHORT_LOCK_MS);
    try {
      onData(change);
    } finally {
      waitForLock(lockMs);
    }
  };
  const requestWrites = prepareRequestWrites(data);
  const inTransaction = data.transaction((change: () => unknown) => change());
  const history = prepareHistoryChanges(data);
  const saveCounts = prepareCountsChanges(counts);
  const countChange = data.query('UPDATE revision SET number = number + 1');
  return {
    request([name, argument]: readonly [keyof RequestWrites, unknown]) {
      checkFiles();
      const change = () => requestWrites[name](argument as never);
      const result = onData(() => inTransaction.immediate(change));
      // A pet in a file that was deleted, or in a log that was cut meanwhile, must not be confirmed.
      checkFiles();
      return result;
    },
    saveCounts: (changes: CountsChanges) => onCounts(() => saveCounts(changes)),
    addPeriods: (periods: readonly PeriodOfUse[]) => inBackground(() => history.add(periods)),
    compact: ([kind, beforeMs]: readonly [PeriodKind, number]) =>
      inBackground(() => history.compact(kind, beforeMs)),
    /** Syncs a commit of one row. */
    probe(_: null) {
      try {
        inBackground(() => countChange.run());
      } catch (error) {
        // A lock says nothing about the disk. The change waits for it in its own thread.
        if (!isLocked(((error as Error).cause as Failure | undefined)?.code)) throw error;
      }
    },
    close: (_: null) => resources.dispose(),
  };
}
