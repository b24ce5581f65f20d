import { type Awaitable, whenReady } from '../domain/awaitable.ts';
import type { Once } from '../domain/idempotency.ts';
import type { CreatedPet, NewPet, Pet, PetQuery, PetStore } from '../domain/pet.ts';
import { ReadCache } from '../domain/read-cache.ts';

const KEPT_MS = 1_000;
const MOST_PETS = 10_000;

/**
 * Remembers animals for a second at most, in front of a store that is a network away. They do not
 * change, but an operator may take one out of the database by hand.
 */
export class KnownPets implements PetStore {
  readonly #pets: PetStore;
  readonly #known: ReadCache<bigint, Pet>;

  constructor(pets: PetStore, now: () => number) {
    this.#pets = pets;
    this.#known = new ReadCache(() => Math.floor(now() / KEPT_MS), MOST_PETS);
  }

  getPet(id: bigint): Awaitable<Pet | undefined> {
    return (
      this.#known.recall(id) ??
      whenReady(this.#pets.getPet(id), (pet) => {
        if (pet !== undefined) this.#known.remember(id, pet);
        return pet;
      })
    );
  }

  listPets(query: PetQuery): Awaitable<Pet[]> {
    return this.#pets.listPets(query);
  }

  createPet(pet: NewPet, once?: Once): Promise<CreatedPet> {
    return this.#pets.createPet(pet, once);
  }
}
