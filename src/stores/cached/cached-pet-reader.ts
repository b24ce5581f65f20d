import { andThen, type Revision } from '#domain/backend.ts';
import { keepJson, type Pet, type PetQuery, type PetReader } from '#domain/pet.ts';
import { BoundedCache } from './bounded-cache.ts';

/** With names of the usual length, this many pets take a few megabytes. */
const MAX_PETS = 5_000;
const MAX_PAGES = 1_000;
const MAX_NAME_CHARACTERS_PER_PAGE = 10_000;

/** A value, and the revision from before it was read. A change during the read may have come too late for the value. */
interface Entry<Value> {
  readonly value: Value;
  readonly changes: number;
  readonly writes?: number | undefined;
}

/** Caches pets and pages in front of a store until its revision changes. A creation changes no pet that was read before. */
export function cachedPetReader(store: PetReader, { changes, writes }: Revision): PetReader {
  const pets = new BoundedCache<bigint, Entry<Pet>>(MAX_PETS);
  const pages = new BoundedCache<string, Entry<readonly Pet[]>>(MAX_PAGES);

  function readPet(id: bigint) {
    const before = { changes: changes() };
    return andThen(store.getPet(id), (value) => {
      if (value !== undefined) pets.offer(id, { ...before, value });
      return value;
    });
  }

  function readPage(query: PetQuery, name: string) {
    const before = { changes: changes(), writes: writes?.() };
    return andThen(store.listPets(query), (value) => {
      if (isOfUsualSize(value)) pages.offer(name, { ...before, value });
      return value;
    });
  }

  /** A new pet does not change a full page, because its id is greater than all ids of the page. */
  function isCurrent(page: Entry<readonly Pet[]>, { limit }: PetQuery): boolean {
    if (page.changes !== changes()) return false;
    return page.value.length === limit || (writes !== undefined && page.writes === writes());
  }

  return {
    getPet(id) {
      const cached = pets.get(id);
      return cached?.changes === changes() ? keepJson(cached.value) : readPet(id);
    },

    listPets(query) {
      const name = `${query.limit} ${query.after} ${query.status}`;
      const cached = pages.get(name);
      return cached && isCurrent(cached, query) ? keepJson(cached.value) : readPage(query, name);
    },
  };
}

/** Pages full of long names are not cached, because they would take too much memory. */
function isOfUsualSize(page: readonly Pet[]): boolean {
  let characters = 0;
  for (const { name } of page) characters += name.length;
  return characters <= MAX_NAME_CHARACTERS_PER_PAGE;
}
