import type { IdempotencyKey } from '../domain/idempotency.ts';
import type { CreatedPet, NewPet, Pet, PetQuery, PetStore } from '../domain/pet.ts';
import type { StagingStore } from '../domain/staging.ts';

/** Records which account added a pet, so that a reset of the account can remove it. */
export class StagingPets implements PetStore {
  readonly #pets: PetStore;
  readonly #store: StagingStore;

  constructor(pets: PetStore, store: StagingStore) {
    this.#pets = pets;
    this.#store = store;
  }

  getPet(id: bigint): Pet | undefined | Promise<Pet | undefined> {
    return this.#pets.getPet(id);
  }

  listPets(query: PetQuery): readonly Pet[] | Promise<readonly Pet[]> {
    return this.#pets.listPets(query);
  }

  async createPet(
    pet: NewPet,
    idempotencyKey?: IdempotencyKey,
    accountId?: number,
  ): Promise<CreatedPet> {
    const created = await this.#pets.createPet(pet, idempotencyKey);
    // Also after a replay: the first request may have failed between the two commits.
    if (accountId !== undefined) await this.#store.addPet(accountId, created.pet.id);
    return created;
  }
}
