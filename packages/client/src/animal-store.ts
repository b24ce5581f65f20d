import { type CreatedPet, type CreatePetsOptions, createAll, type NewPets } from './create-pets.ts';
import { isApiError, UnexpectedResponseError } from './errors.ts';
import { isInt64 } from './json.ts';
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
import { type NewPet, newPetToJson, type Pet, petFrom, petsFrom } from './pet.ts';
import type { Quota } from './quota.ts';
import { type ApiPromise, apiPromise, bodyOf, linksNextPage, nextPageOf } from './response.ts';
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
  PetsOptions,
  RequestEvent,
  RequestHeaders,
  ResponseEvent,
  WaitEvent,
} from './options.ts';
export { type NewPet, type Pet, type PetStatus, petFromJson, petsFromJson } from './pet.ts';
export type { Quota } from './quota.ts';
export type { ApiPromise, ApiResponse, WithResponse } from './response.ts';

const MAX_PAGE_SIZE = 100;

export interface PetPage {
  /** In ascending order of id. */
  readonly pets: Pet[];
  /** Pass it as `after` to get the next page. Undefined if the response links none. */
  readonly next: bigint | undefined;
}

/**
 * The pets of one store. Calls wait and retry where that helps, and throw `AnimalStoreError` if
 * they fail. A `number` that is not a safe integer, or a setting that makes no sense, throws
 * `TypeError`, and no request is sent. Share one instance, so that all your requests keep to the
 * rate limits together.
 */
export class AnimalStore {
  readonly #sender: Sender;
  readonly #runtime: Runtime;
  /** When getPet may work again, on the monotonic clock. */
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
   * The window in force, or undefined before the first response and once the window has reset.
   *
   * @example
   * const { remaining = 0, resetAt } = store.quota ?? {};
   * console.log(`${remaining} requests left until`, resetAt);
   */
  get quota(): Quota | undefined {
    return this.#sender.gate.quota;
  }

  /**
   * Returns one page of pets. To iterate over all of them, use `pets`.
   *
   * @example
   * const { pets, next } = await store.listPets({ status: 'sold', limit: 20 });
   * const nextPage = next && (await store.listPets({ status: 'sold', limit: 20, after: next }));
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
        petsFrom,
        'a list of pets',
      );
      return { data: { pets, next: nextPageOf(response, after) }, response };
    });
  }

  /**
   * Iterates over all pets in ascending order of id. Pages are requested as they are needed.
   *
   * @example
   * for await (const pet of store.pets({ status: 'available' })) console.log(pet.name);
   */
  async *pets(options: PetsOptions = {}): AsyncGenerator<Pet, void, undefined> {
    const { pageSize = MAX_PAGE_SIZE, ...query } = options;
    let { after } = query;
    do {
      const page = this.listPets({ ...query, limit: pageSize, after });
      const { data, response } = await page.withResponse();
      yield* data.pets;
      after = data.next;
      if (after === undefined && linksNextPage(response)) {
        const problem = 'has a link to the next page that this client does not understand';
        throw new UnexpectedResponseError('listPets', response, problem);
      }
    } while (after !== undefined);
  }

  /**
   * Adds a pet and returns it once it is durable. Retries never add a second one.
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
        petFrom,
        'a pet',
      );
    });
  }

  /**
   * Adds many pets, and iterates over them in the order of the input. It waits for the limits of the
   * minute and the day. To continue after an interruption, pass the same input and `batch` again:
   * within 24 hours, no pet is added twice.
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
   * `operation_removed`. Use `findPet`, which goes on working, or `pets` with a `status`.
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
      return this.#call({ operation: 'getPet', path, options }, petFrom, 'a pet');
    });
  }

  /**
   * Returns one pet by id, or undefined if it does not exist. It works after the removal of getPet
   * as well: it then requests a list that starts at the id, and compares the id.
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
          // A brownout ends; the removal does not.
          const { retryAfterSeconds = Infinity } = error;
          this.#getPetBackAtMs = this.#runtime.elapsed() + retryAfterSeconds * 1000;
        }
      }
      const id = BigInt(petId);
      // A pet with the smallest id is the first of all.
      const after = isInt64(id - 1n) ? id - 1n : undefined;
      const page = this.listPets({ ...options, after, limit: 1 });
      const { data, response } = await page.withResponse();
      return { data: data.pets.find((pet) => pet.id === id), response };
    });
  }

  /** Sends a call and reads its response, which must contain what is expected. */
  async #call<T>(call: ApiCall, read: (body: unknown) => T | undefined, expected: string) {
    checkOptions(call.options);
    const received = await this.#sender.send(call);
    const { response } = received;
    const data = read(bodyOf(received));
    if (data !== undefined) return { data, response };
    throw new UnexpectedResponseError(call.operation, response, `does not contain ${expected}`);
  }
}
