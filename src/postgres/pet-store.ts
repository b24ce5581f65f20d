import { Batcher } from '../domain/batcher.ts';
import { storeUnavailable } from '../domain/error.ts';
import {
  compareWithEarlier,
  forgottenBeforeMs,
  keyReused,
  type Once,
} from '../domain/idempotency.ts';
import { INT64_MIN } from '../domain/int64.ts';
import type { CreatedPet, NewPet, Pet, PetQuery, PetStatus, PetStore } from '../domain/pet.ts';
import { petColumns } from './pet-columns.ts';
import type { Pool } from './pool.ts';

const MOST_PER_INSERT = 500;
/** How many forgotten idempotency keys a creation with a new one sweeps away. */
const SWEPT_PER_CREATION = 2;
const MOST_CLAIMS = 3;

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
    this.#inserts = new Batcher((pets) => this.#insertAll(pets), MOST_PER_INSERT);
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

  async createPet(pet: NewPet, once?: Once): Promise<CreatedPet> {
    if (once !== undefined) return this.#createOnce(pet, once);
    return { pet: await this.#inserts.add(pet), replayed: false };
  }

  /** Creations that come together share a round trip and a commit. */
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
   * Of equal requests at once, the others wait for the first to commit, claim nothing, and are told
   * of its animal. A key may be forgotten between the two questions: then it is claimed after all.
   */
  async #createOnce(pet: NewPet, once: Once): Promise<CreatedPet> {
    for (let tries = 0; tries < MOST_CLAIMS; tries++) {
      const id = await this.#claim(pet, once);
      if (id !== undefined) return { pet: { ...pet, id }, replayed: false };
      const earlier = await this.#findEarlier(once);
      const relation = earlier && compareWithEarlier(earlier, once);
      if (relation === 'mix-up') throw keyReused();
      if (earlier !== undefined && relation === 'repetition') {
        return { pet: earlier.pet, replayed: true };
      }
    }
    throw storeUnavailable(new Error('An idempotency key was neither free nor taken'));
  }

  /** Takes the key and inserts the animal in one statement, or does neither. */
  async #claim(pet: NewPet, once: Once): Promise<bigint | undefined> {
    const { accountId, key, fingerprint, nowMs } = once;
    const now = new Date(nowMs);
    const forgottenBefore = new Date(forgottenBeforeMs(nowMs));
    const [created] = await this.#pool.ask<{ id: bigint }[]>(
      (sql) => sql`WITH claim AS (
          INSERT INTO idempotency_keys AS k (account_id, key, fingerprint, pet_id, created_at)
          VALUES (${accountId}, ${key}, ${fingerprint},
            nextval(pg_get_serial_sequence('pets', 'id')), ${now})
          ON CONFLICT (account_id, key) DO UPDATE
            SET fingerprint = excluded.fingerprint, pet_id = excluded.pet_id,
              created_at = excluded.created_at
            WHERE k.created_at <= ${forgottenBefore}
          RETURNING pet_id
        ), swept AS (
          DELETE FROM idempotency_keys WHERE (account_id, key) IN (
            SELECT account_id, key FROM idempotency_keys
            WHERE created_at <= ${forgottenBefore} AND (account_id, key) <> (${accountId}, ${key})
            ORDER BY created_at LIMIT ${SWEPT_PER_CREATION} FOR UPDATE SKIP LOCKED)
        )
        INSERT INTO pets (id, name, category_id, status)
        SELECT pet_id, ${pet.name}, ${pet.categoryId}::bigint, ${pet.status} FROM claim
        RETURNING id`,
    );
    return created?.id;
  }

  async #findEarlier({ accountId, key }: Once) {
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
