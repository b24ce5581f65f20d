import { type CreatedPet, type CreatePetsOptions, createAll, type NewPets } from './create-pets.ts';
import { isApiError, UnexpectedResponseError } from './errors.ts';
import { isInt64, stringifiable } from './json.ts';
import {
  type AnimalStoreOptions,
  type CallOptions,
  type CreateOptions,
  checkArgument,
  checkOptions,
  type ListPetsOptions,
  type PetsOptions,
  settingsFrom,
} from './options.ts';
import { type NewPet, newPetToJson, type Pet, petFromJson, petsFromJson } from './pet.ts';
import {
  type ApiPromise,
  apiPromise,
  nextPageOf,
  type Quota,
  type WithResponse,
} from './response.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import { type ApiCall, Sender } from './sender.ts';

export {
  type CreatedPet,
  CreatePetsError,
  type CreatePetsOptions,
  type NewPets,
} from './create-pets.ts';
export {
  AnimalStoreError,
  ApiError,
  ConnectionError,
  type ErrorCode,
  isApiError,
  type OperationName,
  RateLimitError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export { toJson } from './json.ts';
export type {
  AnimalStoreOptions,
  CallOptions,
  CreateOptions,
  FailureEvent,
  Fetch,
  Hooks,
  ListPetsOptions,
  Logger,
  PetsOptions,
  RequestEvent,
  RequestHeaders,
  ResponseEvent,
  WaitEvent,
} from './options.ts';
export { type NewPet, type Pet, type PetStatus, petFromJson, petsFromJson } from './pet.ts';
export type { ApiPromise, ApiResponse, Quota, QuotaWindow, WithResponse } from './response.ts';

const MAX_PAGE_SIZE = 100;

export interface PetPage {
  /** In ascending order of id. */
  readonly pets: Pet[];
  /** Pass this id as `after` to get the next page. Undefined if the response links no next page. */
  readonly next: bigint | undefined;
  /**
   * Requests the next page with the options of this one. `options` replace these, for example a `signal` that was
   * aborted in the meantime. Returns undefined after the last page.
   *
   * @example
   * let page: PetPage | undefined = await store.listPets({ status: 'sold' });
   * for (; page; page = await page.nextPage()) console.log(page.pets.length);
   */
  nextPage(options?: CallOptions): ApiPromise<PetPage> | undefined;
}

/**
 * A client of one Animal Store. Calls wait for the rate limit and are retried where that helps. If a call
 * fails, it throws `AnimalStoreError`. An invalid id or option throws `TypeError`, and no request is sent.
 * Share one instance, so that all your requests stay within the rate limits together.
 */
export class AnimalStore {
  readonly #sender: Sender;
  readonly #runtime: Runtime;
  /** The time on the monotonic clock when getPet may work again. Until then, `findPet` uses the list. */
  #getPetBackAtMs = 0;

  /** Throws `TypeError` for an invalid option. */
  constructor(options?: AnimalStoreOptions);
  /** @internal For tests that control time. */
  constructor(options: AnimalStoreOptions, runtime: Runtime);
  constructor(options: AnimalStoreOptions = {}, runtime: Runtime = systemRuntime) {
    this.#runtime = runtime;
    this.#sender = new Sender(settingsFrom(options), runtime);
  }

  /**
   * The current window of the rate limit, and both windows, or undefined before the first response and after the
   * current window has reset.
   *
   * @example
   * const { remaining = 0, resetAt, day } = store.quota ?? {};
   * console.log(`${remaining} requests left until`, resetAt, `and ${day?.remaining} today`);
   */
  get quota(): Quota | undefined {
    return this.#sender.gate.quota;
  }

  /**
   * Returns one page of pets. To iterate over all of them, use `pets`.
   *
   * @example
   * const page = await store.listPets({ status: 'sold', limit: 20 });
   * console.log(page.pets, await page.nextPage());
   */
  listPets(options: ListPetsOptions = {}): ApiPromise<PetPage> {
    return apiPromise(async () => {
      const { status, limit, after } = options;
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ status, limit, after })) {
        if (value !== undefined) query.set(name, String(value));
      }
      const path = `/pets?${query}`.replace(/\?$/, '');
      const { data: pets, response } = await this.#call(
        { operation: 'listPets', path, options },
        petsFromJson,
      );
      const { isLast, next } = nextPageOf(response, after);
      const nextPage = (changed?: CallOptions): ApiPromise<PetPage> | undefined => {
        if (next !== undefined) return this.listPets({ ...options, ...changed, after: next });
        if (isLast) return undefined;
        const problem = 'has a link to the next page that this client does not understand';
        throw new UnexpectedResponseError('listPets', response, problem);
      };
      // Like `toJSON`, the method is not part of the data of the page.
      const page = Object.defineProperty({ pets, next }, 'nextPage', { value: nextPage });
      return { data: stringifiable(page) as PetPage, response };
    });
  }

  /**
   * Iterates over all pets in ascending order of id. Each page is requested when you reach it.
   *
   * @example
   * for await (const pet of store.pets({ status: 'available' })) console.log(pet.name);
   */
  async *pets(options: PetsOptions = {}): AsyncGenerator<Pet, void, undefined> {
    const { pageSize = MAX_PAGE_SIZE, ...query } = options;
    let page: PetPage | undefined = await this.listPets({ ...query, limit: pageSize });
    for (; page !== undefined; page = await page.nextPage()) yield* page.pets;
  }

  /**
   * Adds a pet. Returns it once the service has stored it durably. Retries never add a second pet.
   *
   * @example
   * const rex = await store.createPet({ name: 'Rex', categoryId: 7n });
   * console.log(rex.id, rex.status);
   */
  createPet(pet: NewPet, options: CreateOptions = {}): ApiPromise<Pet> {
    return apiPromise(async () => {
      const { idempotencyKey = this.#runtime.newKey() } = options;
      checkArgument('categoryId', pet.categoryId);
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey };
      const body = newPetToJson(pet);
      return this.#call(
        { operation: 'createPet', path: '/pets', headers, body, options },
        petFromJson,
      );
    });
  }

  /**
   * Adds many pets, and iterates over the added pets in the order of the input. When the limit of the minute
   * or of the day is used up, it waits. To continue after an interruption, pass the same input and `batch`
   * again: within 24 hours, no pet is added twice.
   *
   * @example
   * const pets = [{ name: 'Rex', categoryId: 7n }, { name: 'Tom', categoryId: 7n }];
   * for await (const { index, pet } of store.createPets(pets, { batch: 'spring-2027' })) {
   *   console.log(index, pet.id);
   * }
   */
  createPets(
    pets: NewPets,
    options: CreatePetsOptions = {},
  ): AsyncGenerator<CreatedPet, void, undefined> {
    checkOptions(options);
    const { batch = this.#runtime.newKey() } = options;
    return createAll((...one) => this.createPet(...one).withResponse(), pets, {
      ...options,
      batch,
    });
  }

  /**
   * Returns one pet by id. Throws `ApiError` with the code `pet_not_found` if it does not exist.
   *
   * @deprecated The service removes this operation on 5 December 2030 and then responds with
   * `operation_removed`. Use `findPet`, which also works after that, or `pets` with a `status`.
   *
   * @example
   * try {
   *   console.log((await store.getPet(42n)).name);
   * } catch (error) {
   *   if (!isApiError(error, 'pet_not_found')) throw error;
   * }
   */
  getPet(petId: bigint | number, options: CallOptions = {}): ApiPromise<Pet> {
    return apiPromise(async () => {
      checkArgument('petId', petId);
      const path = `/pets/${petId}`;
      return this.#call({ operation: 'getPet', path, options }, petFromJson);
    });
  }

  /**
   * Returns one pet by id, or undefined if it does not exist. This also works after the removal of getPet:
   * the client then requests a list that starts at the id, and compares the id.
   *
   * @example
   * const pet = await store.findPet(42n);
   * console.log(pet?.name ?? 'no such pet');
   */
  findPet(petId: bigint | number, options: CallOptions = {}): ApiPromise<Pet | undefined> {
    return apiPromise(async () => {
      checkArgument('petId', petId);
      if (this.#runtime.elapsed() >= this.#getPetBackAtMs) {
        try {
          return await this.getPet(petId, options).withResponse();
        } catch (error) {
          if (isApiError(error, 'pet_not_found') && error.response) {
            return { data: undefined, response: error.response };
          }
          if (!isApiError(error, 'operation_removed')) throw error;
          // The error of a brownout says when it ends. The error after the removal does not.
          const { retryAfterSeconds = Infinity } = error;
          this.#getPetBackAtMs = this.#runtime.elapsed() + retryAfterSeconds * 1000;
        }
      }
      const id = BigInt(petId);
      // No int64 precedes the smallest one, so a pet with that id is the first pet of the list without `after`.
      const after = isInt64(id - 1n) ? id - 1n : undefined;
      const page = this.listPets({ ...options, after, limit: 1 });
      const { data, response } = await page.withResponse();
      return { data: data.pets.find((pet) => pet.id === id), response };
    });
  }

  /** Sends a call and reads its response. */
  async #call<T>(call: ApiCall, read: (json: string) => T): Promise<WithResponse<T>> {
    checkOptions(call.options);
    const { response, text } = await this.#sender.send(call);
    try {
      return { data: read(text), response };
    } catch {
      const problem = 'does not contain what the operation returns';
      throw new UnexpectedResponseError(call.operation, response, problem);
    }
  }
}
