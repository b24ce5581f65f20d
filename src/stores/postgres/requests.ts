import { type KeyFinder, type KnownKeyRow, toKnownKey } from '#domain/api-key.ts';
import type { Revision } from '#domain/backend.ts';
import {
  IDEMPOTENCY_KEY_LIFETIME_MS,
  type IdempotencyKey,
  SWEPT_PER_CREATION,
} from '#domain/idempotency-key.ts';
import { hasValidChecksum } from '#domain/key-secret.ts';
import type { HistoryWriter } from '#domain/operator/history.ts';
import type { Pet, PetStore } from '#domain/pet.ts';
import { INT64_MIN } from '#formats/int64.ts';
import { addPeriods, oldPeriods, selectAsDays } from '#stores/sql/history.ts';
import {
  type CreationRow,
  createdPet,
  jsonValuesOf,
  NEW_PET_COLUMNS,
  petIn,
  SELECT_PETS,
  SELECTED_PET,
} from '#stores/sql/pets.ts';
import { hashSecret } from '#stores/sql/sql.ts';
import { batcher } from '#timing/batcher.ts';
import { withDeadline } from '#timing/deadline.ts';
import { notResponding } from './connections.ts';
import type { Pool } from './pool.ts';

const MAX_PER_BATCH = 500;

/** These functions are in `migrations/postgres/0003_add_origins.sql`. `Pool.write` makes a creation durable. */
const CREATE = 'SELECT * FROM add_pets($1)';
/** The function keeps the name of a column that version 1.1.0 reads. */
const KEYS = 'SELECT *, "clockPutToMs" AS "clockSetToMs" FROM scoped_keys($1)';
const PETS = `SELECT ${SELECTED_PET} FROM pets_by_id($1)`;
const PAGE = `${SELECT_PETS} WHERE id > $1 ORDER BY id LIMIT $2`;
const PAGE_OF_STATUS = `${SELECT_PETS} WHERE id > $1 AND status = $3 ORDER BY id LIMIT $2`;

interface FoundKey extends KnownKeyRow {
  /** The hash of its secret, in hexadecimal digits. */
  readonly hash: string;
}

/** A creation as `add_pets` reads it. */
type NewCreation = { readonly new_pet: object } & Partial<IdempotencyKey>;

/** Finds values by name. Reads of one turn of the event loop share a query. */
function finder<Name, Row, Value>(
  pool: Pool,
  query: string,
  entryOf: (row: Row) => readonly [Name, Value],
) {
  const find = async (names: readonly Name[]) => {
    const found = new Map((await pool.query<Row>(query, `{${names}}`)).map(entryOf));
    return names.map((name) => found.get(name));
  };
  return batcher(find, MAX_PER_BATCH, 'overlapping');
}

export function postgresKeyFinder(pool: Pool): KeyFinder {
  const keys = finder(pool, KEYS, (row: FoundKey) => [row.hash, row]);
  return {
    async findKey(secret) {
      if (!hasValidChecksum(secret)) return undefined;
      const row = await keys.add(hashSecret(secret).toHex());
      // Converted here, so that a row which cannot be used fails only the requests with its key.
      return row && toKnownKey(row);
    },
  };
}

/** `onCommit` is called with the number of creations in each commit. */
export function postgresPetStore(pool: Pool, onCommit?: (creations: number) => void): PetStore {
  /** Creates the pets of concurrent requests in one round trip and one commit. */
  const creations = batcher(async (batch: readonly NewCreation[]) => {
    const text = JSON.stringify({
      creations: batch,
      lifetimeMs: IDEMPOTENCY_KEY_LIFETIME_MS,
      sweptKeys: batch.length * SWEPT_PER_CREATION,
    });
    const rows = await pool.write<CreationRow>(CREATE, text);
    onCommit?.(batch.length);
    return rows;
  }, MAX_PER_BATCH);
  const pets = finder(pool, PETS, (row: Pet) => [row.id, petIn(row)]);
  return {
    getPet: (id) => pets.add(id),

    async listPets({ status, after = INT64_MIN, limit }) {
      const rows = await (status === undefined
        ? pool.query<Pet>(PAGE, after, limit)
        : pool.query<Pet>(PAGE_OF_STATUS, after, limit, status));
      return rows.map(petIn);
    },

    async createPet(pet, idempotencyKey, keyId) {
      const values = jsonValuesOf(pet).map((value, index) => [NEW_PET_COLUMNS[index], value]);
      const newPet = { ...Object.fromEntries(values), key_id: keyId };
      const creation: NewCreation = { new_pet: newPet, ...idempotencyKey };
      // The deadline of the statement is not enough, because the creation may have to wait for earlier batches.
      const row = await withDeadline(pool.queryMs, creations.add(creation), () => {
        creations.withdraw(creation);
        return notResponding();
      });
      return createdPet(pet, row, idempotencyKey);
    },
  };
}

/** A revocation must take effect within a second, so a response of the server is used for at most half a second. */
const TRUSTED_MS = 500;
const ASK_MS = 200;

/**
 * The revision of a store that other instances change as well. It asks the server several times a second whether
 * anything has changed. While the server does not respond, the revision also changes every half second. `elapsed` is a
 * monotonic clock, because a clock that is set back would make old values valid again.
 */
export function postgresRevision(pool: Pool, elapsed: () => number): Revision & Disposable {
  /** The last response of the server, and the time at which the server was asked. */
  let seen = '';
  let askedAtMs = -Infinity;
  let count = 1;
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    const startedAtMs = elapsed();
    const [row] = await pool.query<{ revision: string }>('SELECT revision()').catch(() => []);
    isAsking = false;
    if (row === undefined) return;
    if (row.revision !== seen) count++;
    seen = row.revision;
    askedAtMs = startedAtMs;
  }, ASK_MS);
  return {
    changes() {
      const nowMs = elapsed();
      // This is negative, so that it differs from every revision that also counts the time.
      return nowMs - askedAtMs < TRUSTED_MS ? -count : Math.floor(nowMs / TRUSTED_MS) + count;
    },
    expire() {
      count++;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

const OLD_HOURS = oldPeriods('hours');
/**
 * If several instances compact at the same time, only one of them deletes an hour and adds it to its day. A removal of
 * an account runs before or after this, never in between, because the count locks the accounts before the hours are
 * deleted.
 */
const COMPACT_HOURS = `WITH kept AS (
    SELECT FROM accounts WHERE id IN (SELECT account_id FROM ${OLD_HOURS}) FOR KEY SHARE),
  old AS (DELETE FROM ${OLD_HOURS} AND (SELECT count(*) FROM kept) >= 0 RETURNING *)
  ${addPeriods(selectAsDays('old'))}`;
const COMPACT = { hours: COMPACT_HOURS, days: `DELETE FROM ${oldPeriods('days')}` };

export function postgresHistoryWriter(pool: Pool): Omit<HistoryWriter, 'oldest'> {
  return {
    async add(periods) {
      await pool.query('SELECT add_usage($1)', JSON.stringify(periods));
    },
    async compact(kind, beforeMs) {
      await pool.report(COMPACT[kind], beforeMs);
    },
  };
}
