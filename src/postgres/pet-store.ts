import { Batcher } from '../async/batcher.ts';
import { IdempotencyKeyReusedError, StoreUnavailableError } from '../domain/error.ts';
import {
  type IdempotencyKey,
  idempotencyCutoffMs,
  SWEPT_PER_CREATION,
} from '../domain/idempotency.ts';
import { INT64_MIN } from '../domain/int64.ts';
import type { CreatedPet, NewPet, Pet, PetQuery, PetStore } from '../domain/pet.ts';
import { RECORD_FIELDS } from '../domain/transfer.ts';
import { selectList } from '../sql/tables.ts';
import { insertPets } from './insert-pets.ts';
import type { Pool } from './pool.ts';

const MAX_PER_INSERT = 500;
const MAX_CLAIMS = 3;

const PET = `SELECT ${selectList(RECORD_FIELDS.pet)} FROM pets`;
const PAGE = `${PET} WHERE id > $1 ORDER BY id LIMIT $2`;
const PAGE_OF_STATUS = `${PET} WHERE id > $1 AND status = $3 ORDER BY id LIMIT $2`;

const EARLIER = `SELECT k.fingerprint, k.pet_id AS "petId",
    ${selectList(RECORD_FIELDS.pet, (column) => `p.${column}`)}
  FROM idempotency_keys AS k LEFT JOIN pets AS p ON p.id = k.pet_id
  WHERE k.account_id = $1 AND k.key = $2 AND k.created_at > $3`;

type EarlierCreation = { fingerprint: string; petId: bigint } & (Pet | { id: null });

export class PostgresPetStore implements PetStore {
  readonly #pool: Pool;
  readonly #inserts: Batcher<NewPet, Pet>;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#inserts = new Batcher((pets) => this.#insertAll(pets), MAX_PER_INSERT);
  }

  async getPet(id: bigint): Promise<Pet | undefined> {
    const [pet] = await this.#pool.query<Pet>(`${PET} WHERE id = $1`, id);
    return pet;
  }

  listPets({ status, after = INT64_MIN, limit }: PetQuery): Promise<Pet[]> {
    return status === undefined
      ? this.#pool.query(PAGE, after, limit)
      : this.#pool.query(PAGE_OF_STATUS, after, limit, status);
  }

  async createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<CreatedPet> {
    if (idempotencyKey !== undefined) return this.#createOnce(pet, idempotencyKey);
    return { pet: await this.#inserts.add(pet), replayed: false };
  }

  /** Concurrent creations share a round trip and a commit. */
  async #insertAll(pets: readonly NewPet[]): Promise<Pet[]> {
    const ids = await this.#pool.ask((sql) => insertPets(sql, pets));
    return pets.map((pet, place) => ({ ...pet, id: ids[place] as bigint }));
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
      if (earlier === undefined) continue;
      const { fingerprint, petId, ...now } = earlier;
      if (fingerprint !== idempotencyKey.fingerprint) throw new IdempotencyKeyReusedError();
      // A pet that was removed is replayed as it was created, from the retry.
      return { pet: now.id === null ? { ...pet, id: petId } : (now as Pet), replayed: true };
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

  async #findEarlier({ accountId, key, nowMs }: IdempotencyKey) {
    const cutoff = new Date(idempotencyCutoffMs(nowMs));
    const values = [accountId, key, cutoff];
    const [earlier] = await this.#pool.query<EarlierCreation>(EARLIER, ...values);
    return earlier;
  }
}
