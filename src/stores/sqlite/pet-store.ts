import type { Database } from 'bun:sqlite';
import { IdempotencyKeyReusedError } from '../../domain/error.ts';
import { INT64_MIN } from '../../domain/int64.ts';
import type {
  CreatedPet,
  IdempotencyKey,
  NewPet,
  Pet,
  PetQuery,
  PetStore,
} from '../../domain/pet.ts';
import { SELECT_PETS } from '../sql/tables.ts';
import type { Reading } from './sqlite-errors.ts';
import type { Writer } from './writer.ts';

/** Reads on the main thread and writes through the writer thread. */
export class SqlitePetStore implements PetStore {
  readonly #reading: Reading;
  readonly #writer: Writer;
  readonly #now: () => number;
  readonly #onCreated: () => void;
  readonly #byId;
  readonly #page;
  readonly #pageOfStatus;

  /** The database must return integers as bigints. */
  constructor(
    database: Database,
    reading: Reading,
    writer: Writer,
    now: () => number,
    onCreated: () => void,
  ) {
    this.#reading = reading;
    this.#writer = writer;
    this.#now = now;
    this.#onCreated = onCreated;
    this.#byId = database.query<Pet, [bigint]>(`${SELECT_PETS} WHERE id = ?`);
    this.#page = database.query<Pet, [bigint, number]>(
      `${SELECT_PETS} WHERE id > ? ORDER BY id LIMIT ?`,
    );
    this.#pageOfStatus = database.query<Pet, [string, bigint, number]>(
      `${SELECT_PETS} WHERE status = ? AND id > ? ORDER BY id LIMIT ?`,
    );
  }

  getPet(id: bigint): Pet | undefined {
    return this.#reading(() => this.#byId.get(id) ?? undefined);
  }

  listPets({ status, after = INT64_MIN, limit }: PetQuery): Pet[] {
    return this.#reading(() =>
      status === undefined
        ? this.#page.all(after, limit)
        : this.#pageOfStatus.all(status, after, limit),
    );
  }

  async createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<CreatedPet> {
    const text = { ...pet, categoryId: `${pet.categoryId}` };
    const creation = { pet: text, idempotencyKey, nowMs: this.#now() };
    const result = await this.#writer.create(creation);
    if ('createdId' in result) {
      this.#onCreated();
      return { pet: { ...pet, id: BigInt(result.createdId) }, replayed: false };
    }
    if ('keyReused' in result) throw new IdempotencyKeyReusedError();
    const { id, categoryId, ...earlier } = result.replayed;
    return {
      pet: { ...earlier, id: BigInt(id), categoryId: BigInt(categoryId) },
      replayed: true,
    };
  }
}
