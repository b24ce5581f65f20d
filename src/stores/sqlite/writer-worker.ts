import type { CountsChanges } from '../../domain/counts-journal.ts';
import { StoreUnavailableError } from '../../domain/error.ts';
import type { PeriodKind, PeriodOfUse } from '../../domain/operator/history.ts';
import type { CreationRow } from '../sql/pets.ts';
import { fileCheck } from './data-file.ts';
import { openCountsDatabase, openExistingDatabase } from './database.ts';
import { explainFailure, IF_COUNTS_ARE_DAMAGED, isLocked } from './sqlite-errors.ts';
import {
  type Creation,
  prepareCountsChanges,
  prepareCreations,
  prepareHistoryChanges,
} from './writer-statements.ts';

// The thread that creates pets, and saves counts and history. Messages are JSON, which takes a fifth of
// the time of a structured clone.

/** A lock must not hold up creations behind the counts of the limiter, the history or a probe. */
const SHORT_LOCK_MS = 100;

export interface WriterOptions {
  readonly path: string;
  /** The path that the operator gave. */
  readonly link: string;
  readonly timeoutMs: number;
}

/** No request waits for these. */
export type BackgroundWrite =
  | { readonly counts: CountsChanges }
  | { readonly periods: readonly PeriodOfUse[] }
  | { readonly kind: PeriodKind; readonly beforeMs: number };

export type ToWriter =
  | { readonly open: WriterOptions }
  | { readonly creations: readonly Creation[] }
  | BackgroundWrite
  | { readonly probe: true }
  | { readonly close: true };

/** Only creations have results. */
export type FromWriter =
  | { readonly results: readonly CreationRow[] }
  | { readonly failed: Failure };

export interface Failure {
  /** SQLite's. */
  readonly code: string | undefined;
  readonly message: string;
}

declare const self: Worker & { onmessage: (event: MessageEvent<string>) => void };

type Write = Exclude<ToWriter, { open: unknown } | { close: unknown }>;

let path: string;
let write: (message: Write) => readonly CreationRow[];
const resources = new DisposableStack();

self.onmessage = ({ data }) => {
  self.postMessage(JSON.stringify(respondTo(JSON.parse(data))));
};

function respondTo(message: ToWriter): FromWriter {
  try {
    return { results: execute(message) };
  } catch (error) {
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    const failure = cause as Failure;
    const { code } = failure;
    const text = code === undefined ? failure.message : explain(message, failure);
    return { failed: { code, message: text } };
  }
}

function explain(message: ToWriter, error: Failure): string {
  return 'counts' in message
    ? explainFailure(`write ${path}-usage`, error, IF_COUNTS_ARE_DAMAGED)
    : explainFailure(`write ${path}`, error);
}

function execute(message: ToWriter): readonly CreationRow[] {
  if ('open' in message) write = open(message.open);
  else if ('close' in message) resources.dispose();
  else return write(message);
  return [];
}

function open({ link, timeoutMs, ...options }: WriterOptions): typeof write {
  path = options.path;
  const data = resources.use(openExistingDatabase(path));
  const counts = resources.use(openCountsDatabase(path));
  counts.run(`PRAGMA busy_timeout = ${SHORT_LOCK_MS}`);
  // Creations that wait for a batch that waits for a lock must be in time as well.
  const lockMs = Math.floor(timeoutMs / 2);
  const waitForLock = (ms: number) => data.run(`PRAGMA busy_timeout = ${ms}`);
  waitForLock(lockMs);
  const withShortLockWait = (change: () => void) => {
    waitForLock(SHORT_LOCK_MS);
    try {
      change();
    } finally {
      waitForLock(lockMs);
    }
  };
  const checkFiles = fileCheck(path, link);
  const create = prepareCreations(data);
  const history = prepareHistoryChanges(data);
  const saveCounts = prepareCountsChanges(counts);
  const countChange = data.query('UPDATE revision SET number = number + 1');
  const probe = () => {
    try {
      withShortLockWait(() => countChange.run());
    } catch (error) {
      // A lock says nothing about the disk. The change waits for it in its own thread.
      if (!isLocked((error as Failure).code ?? '')) throw error;
    }
  };
  return (message) => {
    if (!('counts' in message)) checkFiles();
    if ('creations' in message) {
      const results = create(message.creations);
      // A pet in a file that was deleted meanwhile must not be confirmed.
      checkFiles();
      return results;
    }
    if ('counts' in message) saveCounts(message.counts);
    else if ('periods' in message) withShortLockWait(() => history.add(message.periods));
    else if ('kind' in message)
      withShortLockWait(() => history.compact(message.kind, message.beforeMs));
    else probe();
    return [];
  };
}
