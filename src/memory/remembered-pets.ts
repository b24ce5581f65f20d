import { type Awaitable, whenReady } from '../domain/awaitable.ts';
import type { Once } from '../domain/idempotency.ts';
import { parseInt64 } from '../domain/int64.ts';
import {
  type CreatedPet,
  type NewPet,
  type Pet,
  type PetPage,
  type PetQuery,
  type PetStore,
  petsToJson,
  petToJson,
  type WrittenPets,
} from '../domain/pet.ts';
import { ReadCache } from '../domain/read-cache.ts';
import type { Revision } from '../domain/revision.ts';

/** Some megabytes, with names of the usual length. */
const MOST_PETS = 5_000;
const MOST_PAGES = 1_000;
const LONGEST_PAGE = 16_384;

/** Writes the animals of a store, and remembers what it wrote for as long as it is right. */
export class RememberedPets implements WrittenPets {
  readonly #store: PetStore;
  readonly #revision: Revision;
  readonly #pets: ReadCache<string, string>;
  readonly #pages: ReadCache<string, PetPage> | undefined;

  constructor(store: PetStore, revision: Revision) {
    this.#store = store;
    this.#revision = revision;
    this.#pets = new ReadCache(revision.changes, MOST_PETS);
    this.#pages = revision.writes && new ReadCache(revision.writes, MOST_PAGES, isOfUsualLength);
  }

  getPet(id: string): Awaitable<string | undefined> {
    return this.#pets.recallOrRead(id, () => this.#readPet(id));
  }

  listPets(query: PetQuery): Awaitable<PetPage> {
    if (this.#pages === undefined) return this.#readPage(query);
    const name = `${query.limit} ${query.after} ${query.status}`;
    return this.#pages.recallOrRead(name, () => this.#readPage(query));
  }

  async createPet(pet: NewPet, once?: Once): Promise<CreatedPet> {
    const created = await this.#store.createPet(pet, once);
    this.#revision.expire?.();
    return created;
  }

  #readPet(text: string): Awaitable<string | undefined> {
    const id = parseInt64(text);
    return whenReady(id === undefined ? undefined : this.#store.getPet(id), (pet) =>
      pet === undefined ? undefined : petToJson(pet),
    );
  }

  #readPage(query: PetQuery): Awaitable<PetPage> {
    // One more than was asked for, to know whether a page follows.
    const found = this.#store.listPets({ ...query, limit: query.limit + 1 });
    return whenReady(found, (pets) => toPage(pets, query.limit));
  }
}

function isOfUsualLength({ json }: PetPage): boolean {
  return json.length <= LONGEST_PAGE;
}

function toPage(found: readonly Pet[], limit: number): PetPage {
  const pets = found.slice(0, limit);
  return { json: petsToJson(pets), lastId: found.length > limit ? pets.at(-1)?.id : undefined };
}
