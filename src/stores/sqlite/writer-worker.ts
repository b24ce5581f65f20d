import { StoreUnavailableError } from '../../domain/error.ts';
import type { HistoryCutoffs, PeriodOfUse } from '../../domain/operator/usage-history.ts';
import type { UsageChanges } from '../../domain/usage-journal.ts';
import { FileIdentity } from './data-file.ts';
import { openExistingDatabase, openUsageDatabase } from './database.ts';
import { explainFailure, IF_COUNTS_ARE_DAMAGED, isLocked } from './sqlite-errors.ts';
import {
  type Creation,
  type CreationResult,
  prepareCreations,
  prepareHistoryChanges,
  prepareUsageChanges,
} from './writer-statements.ts';

// The thread with the only connections that write while the service runs. Messages are JSON, which
// takes a fifth of the time of a structured clone.

/** A lock must not hold up creations behind the counts of the limiter, the history or a probe. */
const SHORT_LOCK_MS = 100;

export interface WriterOptions {
  readonly path: string;
  /** The path that the operator gave. */
  readonly link: string;
  readonly timeoutMs: number;
}

type HistoryMessage =
  | { readonly periods: readonly PeriodOfUse[] }
  | { readonly cutoffs: HistoryCutoffs };

/** No request waits for these. */
export type BackgroundWrite = { readonly usage: UsageChanges } | HistoryMessage;

export type ToWriter =
  | { readonly open: WriterOptions }
  | { readonly creations: readonly Creation[] }
  | BackgroundWrite
  | { readonly probe: true }
  | { readonly close: true };

/** Only creations have results. */
export type FromWriter =
  | { readonly results: readonly CreationResult[] }
  | { readonly failed: Failure };

export interface Failure {
  /** SQLite's. */
  readonly code: string | undefined;
  readonly message: string;
}

declare const self: Worker & { onmessage: (event: MessageEvent<string>) => void };

let path: string;
let create: ReturnType<typeof prepareCreations>;
let probe: () => void;
let saveUsage: ReturnType<typeof prepareUsageChanges>;
let changeHistory: (message: HistoryMessage) => void;
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
  return 'usage' in message
    ? explainFailure(`write ${path}-usage`, error, IF_COUNTS_ARE_DAMAGED)
    : explainFailure(`write ${path}`, error);
}

function execute(message: ToWriter): readonly CreationResult[] {
  if ('creations' in message) return create(message.creations);
  if ('periods' in message || 'cutoffs' in message) changeHistory(message);
  if ('usage' in message) saveUsage(message.usage);
  if ('open' in message) open(message.open);
  if ('probe' in message) probe();
  if ('close' in message) resources.dispose();
  return [];
}

function open({ link, timeoutMs, ...options }: WriterOptions): void {
  path = options.path;
  const data = resources.use(openExistingDatabase(path));
  // Creations that wait for a batch that waits for a lock must be in time as well.
  const lockMs = Math.floor(timeoutMs / 2);
  const waitForLock = (ms: number) => data.run(`PRAGMA busy_timeout = ${ms}`);
  waitForLock(lockMs);
  const files = new FileIdentity(path, link);
  const history = prepareHistoryChanges(data);
  const impatiently = (write: () => void) => {
    waitForLock(SHORT_LOCK_MS);
    try {
      write();
    } finally {
      waitForLock(lockMs);
    }
  };
  changeHistory = (message) => {
    impatiently(() => {
      if ('periods' in message) history.add(message.periods);
      else history.compact(message.cutoffs);
    });
  };
  const commit = prepareCreations(data);
  create = (creations) => {
    const results = commit(creations);
    // A pet in a file that was deleted meanwhile must not be confirmed.
    files.check();
    return results;
  };
  const countChange = data.query('UPDATE revision SET number = number + 1');
  probe = () => {
    try {
      impatiently(() => countChange.run());
    } catch (error) {
      // A lock says nothing about the disk. The change waits for it in its own thread.
      if (!isLocked((error as Failure).code ?? '')) throw error;
    }
  };
  const usage = resources.use(openUsageDatabase(path));
  usage.run(`PRAGMA busy_timeout = ${SHORT_LOCK_MS}`);
  saveUsage = prepareUsageChanges(usage);
}
