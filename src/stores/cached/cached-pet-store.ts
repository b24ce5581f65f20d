import type { Revision } from '../../domain/backend.ts';
import { keepJson, type Pet, type PetStore } from '../../domain/pet.ts';
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
export function cachedPetStore(store: PetStore, { changes, writes }: Revision): PetStore {
  const pets = new LruCache<bigint, Entry<Pet>>(MAX_PETS);
  const pages = new LruCache<string, Entry<readonly Pet[]>>(MAX_PAGES);
  return {
    getPet(id) {
      const revision = changes();
      const cached = pets.get(id);
      if (cached?.revision === revision) return keepJson(cached.value);
      const keep = (value: Pet | undefined) => {
        // A read that was in flight during a change may return the old value.
        if (value !== undefined && changes() === revision) pets.set(id, { value, revision });
        return value;
      };
      const found = store.getPet(id);
      return found instanceof Promise ? found.then(keep) : keep(found);
    },

    listPets(query) {
      const name = `${query.limit} ${query.after} ${query.status}`;
      // New pets never change a full page, since their ids are greater.
      const revisionOf = (page: readonly Pet[]) =>
        page.length === query.limit ? changes() : writes?.();
      const cached = pages.get(name);
      if (cached && cached.revision === revisionOf(cached.value)) return keepJson(cached.value);
      const changed = changes();
      const keep = (value: readonly Pet[]) => {
        const revision = changes() === changed ? revisionOf(value) : undefined;
        if (revision !== undefined && isOfUsualSize(value)) pages.set(name, { value, revision });
        return value;
      };
      const found = store.listPets(query);
      return found instanceof Promise ? found.then(keep) : keep(found);
    },

    createPet: (pet, idempotencyKey) => store.createPet(pet, idempotencyKey),
  };
}

/** Pages full of long names would take too much memory. */
function isOfUsualSize(page: readonly Pet[]): boolean {
  let characters = 0;
  for (const { name } of page) characters += name.length;
  return characters <= MAX_NAME_CHARACTERS_PER_PAGE;
}
