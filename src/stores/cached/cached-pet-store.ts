import {
  type CreatedPet,
  type IdempotencyKey,
  keepJson,
  type NewPet,
  type Pet,
  type PetQuery,
  type PetStore,
} from '../../domain/pet.ts';
import type { Revision } from '../../domain/revision.ts';
import { LruCache } from './lru-cache.ts';

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
  readonly #pets = new LruCache<bigint, Entry<Pet>>(MAX_PETS);
  readonly #pages = new LruCache<string, Entry<readonly Pet[]>>(MAX_PAGES);

  constructor(store: PetStore, revision: Revision) {
    this.#store = store;
    this.#revision = revision;
  }

  getPet(id: bigint): Pet | undefined | Promise<Pet | undefined> {
    const revision = this.#revision.changes();
    const cached = this.#pets.get(id);
    if (cached?.revision === revision) return keepJson(cached.value);
    const keep = (value: Pet | undefined) => {
      // A read that was in flight during a change may return the old value.
      const isCurrent = this.#revision.changes() === revision;
      if (value !== undefined && isCurrent) this.#pets.set(id, { value, revision });
      return value;
    };
    const found = this.#store.getPet(id);
    return found instanceof Promise ? found.then(keep) : keep(found);
  }

  listPets(query: PetQuery): readonly Pet[] | Promise<readonly Pet[]> {
    const { writes } = this.#revision;
    if (writes === undefined) return this.#store.listPets(query);
    const name = `${query.limit} ${query.after} ${query.status}`;
    const revision = writes();
    const cached = this.#pages.get(name);
    if (cached?.revision === revision) return keepJson(cached.value);
    const keep = (value: readonly Pet[]) => {
      if (writes() !== revision || !isOfUsualSize(value)) return value;
      this.#pages.set(name, { value, revision });
      return value;
    };
    const found = this.#store.listPets(query);
    return found instanceof Promise ? found.then(keep) : keep(found);
  }

  createPet(pet: NewPet, idempotencyKey?: IdempotencyKey): Promise<CreatedPet> {
    return this.#store.createPet(pet, idempotencyKey);
  }
}

/** Pages full of long names would take too much memory. */
function isOfUsualSize(page: readonly Pet[]): boolean {
  let characters = 0;
  for (const { name } of page) characters += name.length;
  return characters <= MAX_NAME_CHARACTERS_PER_PAGE;
}
