import QuickLRU from 'quick-lru';
import type { IdempotencyKey } from '../domain/idempotency.ts';
import type { CreatedPet, NewPet, Pet, PetQuery, PetStore } from '../domain/pet.ts';
import type { Revision } from '../domain/revision.ts';

/** A few megabytes with names of the usual length. */
const MAX_PETS = 2_500;
const MAX_PAGES = 500;
const MAX_NAME_CHARACTERS_PER_PAGE = 10_000;

interface Entry<Value> {
  readonly value: Value;
  readonly revision: number;
}

/** Caches pets and pages in front of a store until its revision changes. */
export class CachedPetStore implements PetStore {
  readonly #store: PetStore;
  readonly #revision: Revision;
  readonly #pets = new QuickLRU<bigint, Entry<Pet>>({ maxSize: MAX_PETS });
  readonly #pages = new QuickLRU<string, Entry<readonly Pet[]>>({ maxSize: MAX_PAGES });

  constructor(store: PetStore, revision: Revision) {
    this.#store = store;
    this.#revision = revision;
  }

  getPet(id: bigint): Pet | Promise<Pet | undefined> {
    const cached = this.#pets.get(id);
    return cached?.revision === this.#revision.changes() ? cached.value : this.#readPet(id);
  }

  listPets(query: PetQuery): readonly Pet[] | Promise<readonly Pet[]> {
    const { writes } = this.#revision;
    if (writes === undefined) return this.#store.listPets(query);
    const name = `${query.limit} ${query.after} ${query.status}`;
    const cached = this.#pages.get(name);
    return cached?.revision === writes() ? cached.value : this.#readPage(name, query, writes);
  }

  async #readPet(id: bigint): Promise<Pet | undefined> {
    const { changes } = this.#revision;
    const revision = changes();
    const value = await this.#store.getPet(id);
    // A read that was in flight during a change may return the old value.
    if (value !== undefined && changes() === revision) this.#pets.set(id, { value, revision });
    return value;
  }

  async #readPage(name: string, query: PetQuery, writes: () => number): Promise<readonly Pet[]> {
    const revision = writes();
    const value = await this.#store.listPets(query);
    if (writes() === revision && isOfUsualSize(value)) this.#pages.set(name, { value, revision });
    return value;
  }

  createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<CreatedPet> {
    return this.#store.createPet(pet, idempotencyKey);
  }
}

/** Pages full of long names would take too much memory. */
function isOfUsualSize(page: readonly Pet[]): boolean {
  const characters = page.reduce((sum, { name }) => sum + name.length, 0);
  return characters <= MAX_NAME_CHARACTERS_PER_PAGE;
}
