import type { ReservedSQL, SQL } from 'bun';
import { importChange } from '../../domain/operator/audit.ts';
import {
  type ImportedPets,
  type OperatorPets,
  type PetExport,
  tooManyAtOnce,
  unknownPet,
} from '../../domain/operator/operator-pets.ts';
import { requireFreeIds } from '../../domain/operator/transfer.ts';
import type { NewPet, Pet, PetStatus } from '../../domain/pet.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import { PetCorrections } from '../sql/pet-corrections.ts';
import { SELECT_PETS } from '../sql/tables.ts';
import { readCursor } from './cursor.ts';
import { petArrays } from './pet-store.ts';
import type { Pool } from './pool.ts';
import { commitDurably, commitSteps, runSteps } from './run-steps.ts';
import { readLastPetId } from './transfer.ts';

const MAX_PER_INSERT = 5_000;

/** The part of the time limit of a query for which an import may keep services from creating pets. */
const LOCKED_PART = 0.75;

const QUERY_CANCELED = '57014';

const IS_SERVED = `SELECT FROM pg_stat_activity WHERE datname = current_database()
  AND application_name LIKE 'animal-store %' AND pid <> pg_backend_pid() LIMIT 1`;

export class PostgresOperatorPets implements OperatorPets {
  readonly #pool: Pool;
  readonly #audit: AuditLog;
  readonly #corrections: PetCorrections;
  readonly #maxLockedMs: number;

  constructor(pool: Pool, audit: AuditLog, maxLockedMs = pool.queryMs * LOCKED_PART) {
    this.#pool = pool;
    this.#audit = audit;
    this.#corrections = new PetCorrections(audit, 'FOR UPDATE');
    this.#maxLockedMs = maxLockedMs;
  }

  async getPet(id: bigint): Promise<Pet> {
    const [pet] = await this.#pool.query<Pet>(`${SELECT_PETS} WHERE id = $1`, id);
    if (pet === undefined) throw unknownPet(id);
    return pet;
  }

  /** Staged first, so that services wait to create pets only for the copy. */
  importPets(batches: AsyncIterable<readonly NewPet[]>): Promise<ImportedPets> {
    return commitDurably(this.#pool.sql, async (sql) => {
      await sql`SET LOCAL statement_timeout = 0`;
      await sql`CREATE TEMPORARY TABLE staged_pets
        (place bigint GENERATED ALWAYS AS IDENTITY, name text, category_id bigint, status text)
        ON COMMIT DROP`;
      let count = 0;
      for await (const pets of batches) {
        count += pets.length;
        for (let start = 0; start < pets.length; start += MAX_PER_INSERT) {
          await stage(sql, pets.slice(start, start + MAX_PER_INSERT));
        }
      }
      await sql`SELECT lock_creations()`;
      requireFreeIds((await readLastPetId(sql)) + BigInt(count));
      if ((await sql.unsafe(IS_SERVED)).length > 0) {
        await sql.unsafe(`SET LOCAL statement_timeout = ${this.#maxLockedMs}`);
      }
      const imported = await copyStaged(sql).catch((error) => {
        throw error.errno === QUERY_CANCELED ? tooManyAtOnce() : error;
      });
      if (imported.count === 0) return { count: 0 };
      await runSteps(sql, this.#audit.record(importChange(imported)));
      return imported;
    });
  }

  async exportPets(status?: PetStatus): Promise<PetExport> {
    await using opening = new AsyncDisposableStack();
    const sql: ReservedSQL = await this.#pool.sql.reserve();
    opening.defer(() => sql.release());
    // The transaction stays open until the last pet is read: all of them are of one moment.
    await sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
    opening.defer(async () => {
      await sql`ROLLBACK`.catch(() => {});
    });
    await sql`SET LOCAL statement_timeout = 0`;
    // A cursor takes no values. A status is one of a few words.
    const filter = status === undefined ? '' : ` WHERE status = '${status}'`;
    const [row] = await sql.unsafe(`SELECT count(*)::float8 AS count FROM pets${filter}`);
    const resources = opening.move();
    return {
      count: row.count,
      pets: readCursor<Pet>(sql, `${SELECT_PETS}${filter} ORDER BY id`),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  }

  /** Like every creation, it holds the lock until the commit: see the migrations. */
  async addPet(pet: NewPet): Promise<Pet> {
    return await this.#pool.ask((sql) =>
      commitDurably(sql, async (transaction) => {
        await transaction`SELECT lock_creations()`;
        return await runSteps(transaction, this.#corrections.addPet(pet));
      }),
    );
  }

  setStatus(id: bigint, status: PetStatus): Promise<Pet> {
    return this.#pool.ask((sql) => commitSteps(sql, this.#corrections.setStatus(id, status)));
  }

  removePet(id: bigint): Promise<Pet> {
    return this.#pool.ask((sql) => commitSteps(sql, this.#corrections.removePet(id)));
  }
}

async function stage(sql: SQL, pets: readonly NewPet[]): Promise<void> {
  const { names, categoryIds, statuses } = petArrays(sql, pets);
  await sql`INSERT INTO staged_pets (name, category_id, status)
    SELECT name, category_id, status
    FROM unnest(${names}::text[], ${categoryIds}::bigint[], ${statuses}::text[])
      WITH ORDINALITY AS new (name, category_id, status, place)
    ORDER BY place`;
}

async function copyStaged(sql: SQL): Promise<Required<ImportedPets>> {
  const [imported] = await sql`WITH added AS (
      INSERT INTO pets (name, category_id, status)
      SELECT name, category_id, status FROM staged_pets ORDER BY place RETURNING id
    )
    SELECT count(*)::float8 AS count, min(id) AS "firstId", max(id) AS "lastId" FROM added`;
  return imported;
}
