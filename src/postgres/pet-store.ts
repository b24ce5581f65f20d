import { Batcher } from '../async/batcher.ts';
import { IdempotencyKeyReusedError, StoreUnavailableError } from '../domain/error.ts';
import {
  compareWithEarlier,
  type IdempotencyKey,
  idempotencyCutoffMs,
} from '../domain/idempotency.ts';
import { INT64_MIN } from '../domain/int64.ts';
import type { CreatedPet, NewPet, Pet, PetQuery, PetStatus, PetStore } from '../domain/pet.ts';
import { petColumns } from './pet-columns.ts';
import type { Pool } from './pool.ts';

const MAX_PER_INSERT = 500;
/** Expired idempotency keys that a creation with a new key deletes. */
const SWEPT_PER_CREATION = 2;
const MAX_CLAIMS = 3;

interface PetRow {
  readonly id: bigint;
  readonly name: string;
  readonly category_id: bigint;
  readonly status: PetStatus;
}

export class PostgresPetStore implements PetStore {
  readonly #pool: Pool;
  readonly #inserts: Batcher<NewPet, Pet>;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#inserts = new Batcher((pets) => this.#insertAll(pets), MAX_PER_INSERT);
  }

  async getPet(id: bigint): Promise<Pet | undefined> {
    const [row] = await this.#pool.ask<PetRow[]>(
      (sql) => sql`SELECT id, name, category_id, status FROM pets WHERE id = ${id}`,
    );
    return row && toPet(row);
  }

  async listPets({ status, after = INT64_MIN, limit }: PetQuery): Promise<Pet[]> {
    const rows = await this.#pool.ask<PetRow[]>((sql) =>
      status === undefined
        ? sql`SELECT id, name, category_id, status FROM pets
            WHERE id > ${after} ORDER BY id LIMIT ${limit}`
        : sql`SELECT id, name, category_id, status FROM pets
            WHERE status = ${status} AND id > ${after} ORDER BY id LIMIT ${limit}`,
    );
    return rows.map(toPet);
  }

  async createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<CreatedPet> {
    if (idempotencyKey !== undefined) return this.#createOnce(pet, idempotencyKey);
    return { pet: await this.#inserts.add(pet), replayed: false };
  }

  /** Concurrent creations share a round trip and a commit. */
  async #insertAll(pets: readonly NewPet[]): Promise<Pet[]> {
    const rows = await this.#pool.ask<{ id: bigint }[]>((sql) => {
      const { names, categoryIds, statuses } = petColumns(sql, pets);
      return sql`INSERT INTO pets (name, category_id, status)
        SELECT name, category_id, status
        FROM unnest(${names}::text[], ${categoryIds}::bigint[], ${statuses}::text[])
          WITH ORDINALITY AS new (name, category_id, status, place)
        ORDER BY place
        RETURNING id`;
    });
    return pets.map((pet, place) => ({ ...pet, id: (rows[place] as { id: bigint }).id }));
  }

  /**
   * Of concurrent equal requests, one claims the key. The others wait for its commit and get its
   * pet. A key may expire between the two queries: then it is claimed after all.
   */
  async #createOnce(pet: NewPet, idempotencyKey: IdempotencyKey): Promise<CreatedPet> {
    for (let tries = 0; tries < MAX_CLAIMS; tries++) {
      const id = await this.#claim(pet, idempotencyKey);
      if (id !== undefined) return { pet: { ...pet, id }, replayed: false };
      const earlier = await this.#findEarlier(idempotencyKey);
      const relation = earlier && compareWithEarlier(earlier, idempotencyKey);
      if (relation === 'reused') throw new IdempotencyKeyReusedError();
      if (earlier !== undefined && relation === 'retry') {
        return { pet: earlier.pet, replayed: true };
      }
    }
    throw new StoreUnavailableError(new Error('An idempotency key was neither free nor taken'));
  }

  /** Claims the key and inserts the pet in one statement, or does neither. */
  async #claim(
    pet: NewPet,
    { accountId, key, fingerprint, nowMs }: IdempotencyKey,
  ): Promise<bigint | undefined> {
    const now = new Date(nowMs);
    const cutoff = new Date(idempotencyCutoffMs(nowMs));
    const [created] = await this.#pool.ask<{ id: bigint }[]>(
      (sql) => sql`WITH claim AS (
          INSERT INTO idempotency_keys AS k (account_id, key, fingerprint, pet_id, created_at)
          VALUES (${accountId}, ${key}, ${fingerprint},
            nextval(pg_get_serial_sequence('pets', 'id')), ${now})
          ON CONFLICT (account_id, key) DO UPDATE
            SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id,
              created_at = excluded.created_at
            WHERE k.created_at <= ${cutoff}
          RETURNING pet_id
        ), swept AS (
          DELETE FROM idempotency_keys WHERE (account_id, key) IN (
            SELECT account_id, key FROM idempotency_keys
            WHERE created_at <= ${cutoff} AND (account_id, key) <> (${accountId}, ${key})
            ORDER BY created_at LIMIT ${SWEPT_PER_CREATION} FOR UPDATE SKIP LOCKED)
        )
        INSERT INTO pets (id, name, category_id, status)
        SELECT pet_id, ${pet.name}, ${pet.categoryId}::bigint, ${pet.status} FROM claim
        RETURNING id`,
    );
    return created?.id;
  }

  async #findEarlier({ accountId, key }: IdempotencyKey) {
    const [row] = await this.#pool.ask<(PetRow & { fingerprint: string; created_at: Date })[]>(
      (sql) => sql`SELECT k.fingerprint, k.created_at, p.id, p.name, p.category_id, p.status
        FROM idempotency_keys AS k JOIN pets AS p ON p.id = k.pet_id
        WHERE k.account_id = ${accountId} AND k.key = ${key}`,
    );
    if (row === undefined) return undefined;
    const { fingerprint, created_at } = row;
    return { fingerprint, createdAtMs: created_at.getTime(), pet: toPet(row) };
  }
}

function toPet({ id, name, category_id: categoryId, status }: PetRow): Pet {
  return { id, name, categoryId, status };
}
