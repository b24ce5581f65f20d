import type { NewPet, Pet, PetStatus } from '#domain/pet.ts';
import type { ShowProgress } from '#formats/progress.ts';
import type { Records } from './transfer.ts';

/** Everything that a store keeps of a pet. Only operators see its origin, which is unknown for pets of 1.0.0. */
export type StoredPet = Readonly<Records['pet']>;

export interface ListedPet extends StoredPet {
  /** The name of the account whose key added the pet, unless key or account were removed. */
  readonly accountName?: string | null | undefined;
}

export interface PetFilter {
  /** Selects pets that were added with a key of this account. */
  readonly account?: string | undefined;
  readonly keyId?: number | undefined;
  /** Select pets by the time at which they were added, both inclusive. Pets of 1.0.0 match neither. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly status?: PetStatus | undefined;
  /** Selects the next page: only pets with a smaller id. */
  readonly beforeId?: bigint | undefined;
  readonly limit?: number | undefined;
}

export interface ImportedPets {
  readonly count: number;
  /** Undefined when there was nothing to import. */
  readonly firstId?: bigint;
  readonly lastId?: bigint;
}

/** Pets, for operators. Each change is audited. Throws `OperatorError` for a pet that does not exist. */
export interface OperatorPets {
  getPet(id: bigint): Promise<ListedPet>;
  /**
   * Returns pets in batches, the newest first. The search ends at pets that were added a day before
   * `sinceMs`, because the clocks of two instances may differ by up to half a day. Throws `OperatorError` for
   * an unknown account.
   */
  findPets(filter: PetFilter): AsyncIterable<readonly ListedPet[]>;
  addPet(pet: NewPet): Promise<Pet>;
  /**
   * Adds all pets in their order, or none. An error thrown by `batches` undoes the import. Throws
   * `OperatorError` as soon as it is clear that the import is too large to run while services run.
   */
  importPets(batches: AsyncIterable<readonly NewPet[]>): Promise<ImportedPets>;
  /** Returns all pets in ascending order of their ids, as they were at one moment. */
  exportPets(): AsyncIterable<Pet>;
  /** Returns the pet as it was before the change. */
  setStatus(id: bigint, status: PetStatus): Promise<Pet>;
  /** Returns the pet that was removed. Its id is never used again. */
  removePet(id: bigint): Promise<Pet>;
  /**
   * Removes the pets that still exist with the same origin, in slices. Each slice adds an audit entry with
   * this value and the number of its pets. Returns how many were removed.
   */
  removePets(pets: readonly StoredPet[], value: object, show?: ShowProgress): Promise<number>;
}
