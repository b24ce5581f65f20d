import type { SQL } from 'bun';
import { Batcher } from '../domain/batcher.ts';
import {
  compareWithEarlier,
  forgottenBeforeMs,
  keyReused,
  type Once,
} from '../domain/idempotency.ts';
import { INT64_MIN } from '../domain/int64.ts';
import type { CreatedPet, NewPet, Pet, PetQuery, PetStatus, PetStore } from '../domain/pet.ts';
import { reaching } from './pool.ts';

const MOST_PER_INSERT = 500;
/** How many forgotten idempotency keys a creation with a new one sweeps away. */
const SWEPT_PER_CREATION = 2;

interface PetRow {
  readonly id: bigint;
  readonly name: string;
  readonly category_id: bigint;
  readonly status: PetStatus;
}

export class PostgresPetStore implements PetStore {
  readonly #sql: SQL;
  readonly #inserts: Batcher<NewPet, Pet>;

  constructor(sql: SQL) {
    this.#sql = sql;
    this.#inserts = new Batcher((pets) => this.#insertAll(pets), MOST_PER_INSERT);
  }

  async getPet(id: bigint): Promise<Pet | undefined> {
    const [row] = await reaching<PetRow[]>(
      this.#sql`SELECT id, name, category_id, status FROM pets WHERE id = ${id}`,
    );
    return row && toPet(row);
  }

  async listPets({ status, after = INT64_MIN, limit }: PetQuery): Promise<Pet[]> {
    const rows = await reaching<PetRow[]>(
      status === undefined
        ? this.#sql`SELECT id, name, category_id, status FROM pets
            WHERE id > ${after} ORDER BY id LIMIT ${limit}`
        : this.#sql`SELECT id, name, category_id, status FROM pets
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
    const rows = await reaching<{ id: bigint }[]>(
      this.#sql`INSERT INTO pets (name, category_id, status)
        SELECT name, category_id, status FROM unnest(
          ${this.#sql.array(
            pets.map(({ name }) => name),
            'TEXT',
          )}::text[],
          ${this.#sql.array(
            pets.map(({ categoryId }) => categoryId),
            'BIGINT',
          )}::bigint[],
          ${this.#sql.array(
            pets.map(({ status }) => status),
            'TEXT',
          )}::text[]
        ) WITH ORDINALITY AS new (name, category_id, status, place) ORDER BY place
        RETURNING id`,
    );
    return pets.map((pet, place) => ({ ...pet, id: (rows[place] as { id: bigint }).id }));
  }

  /**
   * Claims the key and inserts the animal in one statement. Of equal requests at once, the others
   * wait for the first to commit, claim nothing, and are told of its animal.
   */
  async #createOnce(pet: NewPet, once: Once): Promise<CreatedPet> {
    const { accountId, key, fingerprint, nowMs } = once;
    const now = new Date(nowMs);
    const forgottenBefore = new Date(forgottenBeforeMs(nowMs));
    const [created] = await reaching<{ id: bigint }[]>(
      this.#sql`WITH claim AS (
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
    if (created !== undefined) return { pet: { ...pet, id: created.id }, replayed: false };

    const [earlier] = await reaching<(PetRow & { fingerprint: string; created_at: Date })[]>(
      this.#sql`SELECT k.fingerprint, k.created_at, p.id, p.name, p.category_id, p.status
        FROM idempotency_keys AS k JOIN pets AS p ON p.id = k.pet_id
        WHERE k.account_id = ${accountId} AND k.key = ${key}`,
    );
    if (earlier === undefined) throw new Error('A claimed idempotency key has no animal');
    const createdAtMs = earlier.created_at.getTime();
    const relation = compareWithEarlier({ fingerprint: earlier.fingerprint, createdAtMs }, once);
    if (relation !== 'repetition') throw keyReused();
    return { pet: toPet(earlier), replayed: true };
  }
}

function toPet({ id, name, category_id: categoryId, status }: PetRow): Pet {
  return { id, name, categoryId, status };
}
