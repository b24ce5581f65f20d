import type { Database } from 'bun:sqlite';
import type { CountsChanges } from '#domain/counts-journal.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import {
  IDEMPOTENCY_KEY_LIFETIME_MS,
  type IdempotencyKey,
  SWEPT_PER_CREATION,
} from '#domain/idempotency-key.ts';
import { type AddedPeriod, NOT_COUNTED, type PeriodKind } from '#domain/operator/history.ts';
import { addPeriods, oldPeriods, PERIOD_FIELDS, selectAsDays } from '#stores/sql/history.ts';
import { type CreationRow, NEW_PET_COLUMNS, PET_MEMBERS } from '#stores/sql/pets.ts';
import { countsFile } from './counts-file.ts';
import { fileCheck } from './data-file.ts';
import { COUNTS, openDatabase, openExistingDatabase } from './database.ts';
import { codeOf, type Failure, isLocked, queryRunner } from './sqlite-errors.ts';

/**
 * The longest time that a write in the background waits for a lock of the file. It is short, because creations
 * wait behind it.
 */
const SHORT_LOCK_MS = 100;

export interface WriterOptions {
  readonly path: string;
  /** The path that the operator gave, which may be a symbolic link. */
  readonly link: string;
  readonly timeoutMs: number;
}

/** A pet to create, by the values of `NEW_PET_COLUMNS`. */
export interface RequestedPet {
  readonly values: readonly (string | number | boolean | null)[];
  readonly keyId: number | undefined;
  readonly idempotencyKey: IdempotencyKey | undefined;
  readonly nowMs: number;
}

/**
 * Everything that the writer thread does. `writer.ts` sends the name of a method and its argument, and gets
 * the result. Both travel as JSON, which takes a fifth of the time of a structured clone. So an int64 must be
 * text here, and `undefined` inside an argument arrives as null or not at all.
 */
export interface Writes {
  /** The first call. */
  open(options: WriterOptions): void;
  createPets(creations: readonly RequestedPet[]): CreationRow[];
  saveCounts(changes: CountsChanges): void;
  addPeriods(periods: readonly AddedPeriod[]): void;
  compact(old: { readonly kind: PeriodKind; readonly beforeMs: number }): void;
  /** Syncs a commit of one row. Succeeds if the file is locked, because a lock says nothing about the disk. */
  probe(): void;
  close(): void;
}

/** The response to a message. `Result` is that of the method which was called. */
export type FromWriter<Result> = { readonly failed: Failure } | { readonly result: Result };

declare const self: Worker & { onmessage: (event: MessageEvent<string>) => void };

let writes: Partial<Writes> = {
  open(options) {
    writes = openWrites(options);
  },
};

self.onmessage = ({ data }) => {
  self.postMessage(JSON.stringify(respond(JSON.parse(data))));
};

/** The type `never` lets this pass an argument to any method. `writer.ts` checks that it is the right one. */
function respond([name, argument]: readonly [keyof Writes, never]): FromWriter<unknown> {
  try {
    return { result: writes[name]?.(argument) };
  } catch (error) {
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    const { code, message } = cause as Failure;
    return { failed: { code, message } };
  }
}

function openWrites({ path, link, timeoutMs }: WriterOptions): Omit<Writes, 'open'> {
  const resources = new DisposableStack();
  const data = resources.use(openExistingDatabase(path));
  const counts = resources.use(openDatabase(path, COUNTS));
  counts.run(`PRAGMA busy_timeout = ${SHORT_LOCK_MS}`);
  const waitForLock = (ms: number) => data.run(`PRAGMA busy_timeout = ${ms}`);
  // A batch of creations may wait behind another batch that waits for a lock. Half of the time limit for each
  // lets both respond in time.
  const lockMs = Math.floor(timeoutMs / 2);
  waitForLock(lockMs);
  const checkFiles = fileCheck(data, link);
  const runQuery = queryRunner(path);
  const inTransaction = data.transaction((change: () => unknown) => change());

  /** Returns after the change is on disk, because `openExistingDatabase` sets `synchronous` to `FULL`. */
  function commit<T>(change: () => T): T {
    checkFiles();
    return runQuery(() => inTransaction.immediate(change)) as T;
  }

  /** Commits a change that a request waits for. */
  function commitForRequest<T>(change: () => T): T {
    const result = commit(change);
    // The file may have been deleted, or its log cut, during the commit. Such a pet must not be confirmed.
    checkFiles();
    return result;
  }

  /** Commits a change that no request waits for. */
  function commitInBackground(change: () => void): void {
    waitForLock(SHORT_LOCK_MS);
    try {
      commit(change);
    } finally {
      waitForLock(lockMs);
    }
  }

  const createPet = prepareCreation(data);
  const addPeriod = prepareHistory(data);
  return {
    createPets: (creations) => commitForRequest(() => creations.map(createPet)),
    saveCounts: countsFile(counts).save,
    addPeriods: (periods) => commitInBackground(() => periods.forEach(addPeriod)),
    compact: ({ kind, beforeMs }) =>
      commitInBackground(() => {
        const old = oldPeriods(kind);
        if (kind === 'hours') data.query(addPeriods(selectAsDays(old))).run(beforeMs);
        data.query(`DELETE FROM ${old}`).run(beforeMs);
      }),
    probe() {
      try {
        commitInBackground(() => data.query('UPDATE revision SET number = number + 1').run());
      } catch (error) {
        if (!isLocked(codeOf(error))) throw error;
      }
    },
    close: () => resources.dispose(),
  };
}

/** Prepares the statements of a creation. The returned function needs a transaction. */
function prepareCreation(database: Database): (creation: RequestedPet) => CreationRow {
  // The id comes from `lastInsertRowid`, because RETURNING would make the statement take two thirds longer.
  // An int64 is text in `values`. SQLite converts it to the type of the column.
  const insertPet = database.query<never, (string | number | boolean | null)[]>(
    `INSERT INTO pets (${NEW_PET_COLUMNS}, added_at, key_id)
     VALUES (${NEW_PET_COLUMNS.map(() => '?')}, ?, ?)`,
  );
  const findEarlier = database.query<CreationRow, [number, string, number]>(
    `SELECT CAST(k.pet_id AS TEXT) AS id, k.fingerprint, 
       CASE WHEN p.id IS NOT NULL THEN json_object(${PET_MEMBERS}) END AS pet
     FROM idempotency_keys AS k LEFT JOIN pets AS p ON p.id = k.pet_id
     WHERE k.account_id = ? AND k.key = ? AND k.created_at > ?`,
  );
  const saveIdempotencyKey = database.query(
    `INSERT OR REPLACE INTO idempotency_keys (account_id, key, fingerprint, pet_id, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  );
  const sweepIdempotencyKeys = database.query(
    `DELETE FROM idempotency_keys WHERE (account_id, key) IN
     (SELECT account_id, key FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ${SWEPT_PER_CREATION})`,
  );

  function insert({ values, nowMs, keyId }: RequestedPet): CreationRow {
    const id = insertPet.run(...values, nowMs, keyId ?? null).lastInsertRowid;
    return { id: `${id}`, fingerprint: null, pet: null };
  }

  return (creation) => {
    const { idempotencyKey, nowMs } = creation;
    if (idempotencyKey === undefined) return insert(creation);
    const { accountId, key, fingerprint, offsetMs } = idempotencyKey;
    const timeMs = nowMs + offsetMs;
    const earlier = findEarlier.get(accountId, key, timeMs - IDEMPOTENCY_KEY_LIFETIME_MS);
    if (earlier !== null) return earlier;
    const created = insert(creation);
    saveIdempotencyKey.run(accountId, key, fingerprint, created.id, timeMs);
    // Keys expire by the real time, because the test clock of one account must not expire the keys of others.
    sweepIdempotencyKeys.run(nowMs - IDEMPOTENCY_KEY_LIFETIME_MS);
    return created;
  };
}

/** Prepares the statements that add to the history. The returned function needs a transaction. */
function prepareHistory(database: Database): (period: AddedPeriod) => void {
  const values = PERIOD_FIELDS.map((field) => `$${field}`);
  const addPeriod = database.query(addPeriods(`VALUES (${values})`));
  const addUse = database.query(
    `INSERT INTO key_uses AS k (account_id, key_id, last_at, refused_at, refusal)
     VALUES ($accountId, $keyId, coalesce($acceptedAtMs, $lastAtMs), $refusedAtMs, $refusal)
     ON CONFLICT (account_id, key_id) DO UPDATE SET
       last_at = max(k.last_at, excluded.last_at),
       refusal = CASE WHEN excluded.refused_at >= coalesce(k.refused_at, 0)
         THEN excluded.refusal ELSE k.refusal END,
       refused_at = nullif(max(coalesce(k.refused_at, 0), coalesce(excluded.refused_at, 0)), 0)`,
  );
  const findAccount = database.query('SELECT 1 FROM accounts WHERE id = ?');
  return (period) => {
    // The account may have been removed after its requests. Its usage is dropped.
    if (findAccount.get(period.accountId) === null) return;
    if (period.operation !== NOT_COUNTED) addPeriod.run({ ...period });
    addUse.run({ acceptedAtMs: null, refusedAtMs: null, refusal: null, ...period });
  };
}
