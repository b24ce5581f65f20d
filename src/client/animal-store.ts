import { CALL_OPTIONS, checkOptions } from './arguments.ts';
import type { CallOptions, CreateOptions, ListPetsOptions, PetsOptions } from './call-options.ts';
import { type OperationName, UnexpectedAnswerError } from './errors.ts';
import { nextPageOf } from './next-page.ts';
import { type AnimalStoreOptions, settingsFrom } from './options.ts';
import type { NewPet, Pet } from './pet.ts';
import { exactInteger, newPetToJson, petFromJson } from './pet-json.ts';
import { bodyOf, type ReceivedResponse } from './response.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import { Sender } from './sender.ts';

export type {
  CallOptions,
  CreateOptions,
  ListPetsOptions,
  PetsOptions,
  RequestHeaders,
} from './call-options.ts';
export {
  AnimalStoreError,
  ApiError,
  ConnectionError,
  type ErrorCode,
  isApiError,
  type OperationName,
  RateLimitError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
export type { FailureEvent, Hooks, RequestEvent, ResponseEvent, WaitEvent } from './hooks.ts';
export type { AnimalStoreOptions, Fetch } from './options.ts';
export type { NewPet, Pet, PetStatus } from './pet.ts';

const MAX_PAGE_SIZE = 100;

export interface PetPage {
  /** In ascending order of id. */
  readonly pets: Pet[];
  /** Pass it as `after` to get the next page. Undefined if the response links none. */
  readonly next: bigint | undefined;
}

/**
 * The pets of one store. Calls wait and retry where that helps, and throw `AnimalStoreError` if
 * they fail. Share one instance, so that all your requests keep to the rate limits together.
 */
export class AnimalStore {
  readonly #sender: Sender;
  readonly #runtime: Runtime;

  /** Throws `TypeError` for an invalid option. */
  constructor(options: AnimalStoreOptions);
  /** @internal For tests that control time. */
  constructor(options: AnimalStoreOptions, runtime: Runtime);
  constructor(options: AnimalStoreOptions, runtime: Runtime = systemRuntime) {
    this.#runtime = runtime;
    this.#sender = new Sender(settingsFrom(options), runtime);
  }

  /** Returns one page of pets. To iterate over all of them, use `pets`. */
  async listPets(options: ListPetsOptions = {}): Promise<PetPage> {
    const { pets, next } = await this.#page(options);
    return { pets, next: next === 'unknown' ? undefined : next };
  }

  /** Iterates over all pets in ascending order of id. Pages are requested as they are needed. */
  async *pets(options: PetsOptions = {}): AsyncGenerator<Pet, void, undefined> {
    const { pageSize = MAX_PAGE_SIZE, ...query } = options;
    for (let { after } = query; ; ) {
      const { response, pets, next } = await this.#page({ ...query, limit: pageSize, after });
      yield* pets;
      if (next === undefined) return;
      if (next === 'unknown') {
        throw new UnexpectedAnswerError(
          'listPets',
          response,
          'has a link to the next page that this client does not understand',
        );
      }
      after = next;
    }
  }

  /** Adds a pet and returns it once it is durable. Retries never add a second one. */
  async createPet(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    checkOptions(options, [...CALL_OPTIONS, 'idempotencyKey']);
    const { idempotencyKey = this.#runtime.newKey() } = options;
    const response = await this.#sender.send({
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: newPetToJson(pet),
      successStatus: 201,
      options,
    });
    return readPet('createPet', response);
  }

  /**
   * Returns one pet by id. Throws `ApiError` with the code `pet_not_found` if it does not exist.
   *
   * @deprecated The service removes this operation on 5 December 2030 and then responds with
   * `operation_removed`. Use `listPets` or `pets` with a `status`; for a single pet,
   * `listPets({ after: petId - 1n, limit: 1 })`, and compare the id.
   */
  async getPet(petId: bigint | number, options: CallOptions = {}): Promise<Pet> {
    checkOptions(options, CALL_OPTIONS);
    const response = await this.#sender.send({
      operation: 'getPet',
      method: 'GET',
      path: `/pets/${encodeURIComponent(String(exactInteger('petId', petId)))}`,
      successStatus: 200,
      options,
    });
    return readPet('getPet', response);
  }

  async #page({ limit, status, after, ...options }: ListPetsOptions) {
    checkOptions(options, CALL_OPTIONS);
    const query = new URLSearchParams();
    if (status !== undefined) query.set('status', status);
    if (limit !== undefined) query.set('limit', String(limit));
    if (after !== undefined) query.set('after', String(exactInteger('after', after)));
    const response = await this.#sender.send({
      operation: 'listPets',
      method: 'GET',
      path: `/pets?${query}`.replace(/\?$/, ''),
      successStatus: 200,
      options,
    });
    return { response, pets: readPets(response), next: nextPageOf(response, after) };
  }
}

function readPet(operation: OperationName, response: ReceivedResponse): Pet {
  const pet = petFromJson(bodyOf(response) ?? null);
  if (pet !== undefined) return pet;
  throw new UnexpectedAnswerError(operation, response, 'does not contain a pet');
}

function readPets(response: ReceivedResponse): Pet[] {
  const body = bodyOf(response);
  const pets = Array.isArray(body) ? body.map(petFromJson) : [undefined];
  if (pets.every((pet) => pet !== undefined)) return pets;
  throw new UnexpectedAnswerError('listPets', response, 'does not contain a list of pets');
}
