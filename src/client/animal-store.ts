import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey } from '../domain/idempotency.ts';
import { type Answer, bodyOf } from './answer.ts';
import type { OperationName } from './error-code.ts';
import { UnexpectedAnswerError } from './errors.ts';
import { nextPageOf } from './next-page.ts';
import { type AnimalStoreOptions, checkOptions } from './options.ts';
import type { NewPet, Pet, PetStatus } from './pet.ts';
import { exactInteger, newPetToJson, petFromJson } from './pet-json.ts';
import { type Runtime, systemRuntime } from './runtime.ts';
import { Sender } from './sender.ts';

export type { ErrorCode, OperationName } from './error-code.ts';
export {
  AnimalStoreError,
  ApiError,
  ConnectionError,
  isApiError,
  RateLimitError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts';
export type { FailureEvent, Hooks, RequestEvent, ResponseEvent, WaitEvent } from './hooks.ts';
export type { AnimalStoreOptions, Fetch } from './options.ts';
export type { NewPet, Pet, PetStatus } from './pet.ts';

const LARGEST_PAGE = 100;

export interface CallOptions {
  /** Aborts the call, also while it waits. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * For a creation that may be repeated by a later call: the same key and animal add one animal,
   * within 24 hours. Without it each call has a key of its own, which only its retries share.
   */
  readonly idempotencyKey?: string | undefined;
}

interface PetFilter extends CallOptions {
  /** Only animals with this status. */
  readonly status?: PetStatus | undefined;
  /** Only animals whose id is greater. */
  readonly after?: bigint | number | undefined;
}

export interface ListPetsOptions extends PetFilter {
  /** How many animals to return at most: 1 to 100. Default: 20. */
  readonly limit?: number | undefined;
}

export interface PetsOptions extends PetFilter {
  /** How many animals to ask for at once: 1 to 100. Default: 100. */
  readonly pageSize?: number | undefined;
}

export interface PetPage {
  /** In ascending order of id. */
  readonly pets: Pet[];
  /** What to give as `after` to get the next page; undefined when no link says so. */
  readonly next: bigint | undefined;
}

/**
 * The animals of one store. Calls wait and try again by themselves where that helps; what they
 * throw in the end is an `AnimalStoreError`. Share one instance: its requests then keep to the
 * limits together.
 */
export class AnimalStore {
  readonly #sender: Sender;
  readonly #runtime: Runtime;

  /** Throws `TypeError` when an option makes no sense. */
  constructor(options: AnimalStoreOptions);
  /** @internal For tests that move time. */
  constructor(options: AnimalStoreOptions, runtime: Runtime);
  constructor(options: AnimalStoreOptions, runtime: Runtime = systemRuntime) {
    this.#runtime = runtime;
    this.#sender = new Sender(checkOptions(options), runtime);
  }

  /** One page of animals. `pets` goes through all of them. */
  async listPets(options: ListPetsOptions = {}): Promise<PetPage> {
    const { pets, next } = await this.#page(options);
    return { pets, next: next === 'unknown' ? undefined : next };
  }

  /** All animals, in ascending order of id. A page is asked for only when it is needed. */
  async *pets(options: PetsOptions = {}): AsyncGenerator<Pet, void, undefined> {
    const { pageSize = LARGEST_PAGE, ...query } = options;
    for (let { after } = query; ; ) {
      const { answer, pets, next } = await this.#page({ ...query, limit: pageSize, after });
      yield* pets;
      if (next === undefined) return;
      if (next === 'unknown') {
        throw new UnexpectedAnswerError(
          'listPets',
          answer,
          'has a link to a next page that cannot be read',
        );
      }
      after = next;
    }
  }

  /**
   * Adds an animal and returns it with its id, once it is stored for good. However often the
   * request has to be sent, one animal is added.
   */
  async createPet(pet: NewPet, options: CreateOptions = {}): Promise<Pet> {
    const { idempotencyKey = this.#runtime.newKey(), signal } = options;
    if (!isIdempotencyKey(idempotencyKey)) {
      throw new TypeError(`idempotencyKey ${IDEMPOTENCY_KEY_RULE}.`);
    }
    const answer = await this.#sender.send({
      operation: 'createPet',
      method: 'POST',
      path: '/pets',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: newPetToJson(pet),
      success: 201,
      signal,
    });
    return readPet('createPet', answer);
  }

  /**
   * One animal by its id. Throws `ApiError` with the code `pet_not_found` when there is none.
   *
   * @deprecated The service removes this on 5 December 2030, and then answers `operation_removed`.
   * Use `listPets` or `pets` with a `status`; for a single animal,
   * `listPets({ after: petId - 1n, limit: 1 })`.
   */
  async getPet(petId: bigint | number, options: CallOptions = {}): Promise<Pet> {
    const answer = await this.#sender.send({
      operation: 'getPet',
      method: 'GET',
      path: `/pets/${encodeURIComponent(String(exactInteger('petId', petId)))}`,
      success: 200,
      signal: options.signal,
    });
    return readPet('getPet', answer);
  }

  /** A page, and the answer it came in. */
  async #page({ limit, status, after, signal }: ListPetsOptions) {
    const query = new URLSearchParams();
    if (status !== undefined) query.set('status', status);
    if (limit !== undefined) query.set('limit', String(limit));
    if (after !== undefined) query.set('after', String(exactInteger('after', after)));
    const answer = await this.#sender.send({
      operation: 'listPets',
      method: 'GET',
      path: `/pets?${query}`.replace(/\?$/, ''),
      success: 200,
      signal,
    });
    return { answer, pets: readPets(answer), next: nextPageOf(answer, after) };
  }
}

function readPet(operation: OperationName, answer: Answer): Pet {
  const pet = petFromJson(bodyOf(answer) ?? null);
  if (pet !== undefined) return pet;
  throw new UnexpectedAnswerError(operation, answer, 'does not hold an animal');
}

function readPets(answer: Answer): Pet[] {
  const body = bodyOf(answer);
  const pets = Array.isArray(body) ? body.map(petFromJson) : [undefined];
  if (pets.every((pet) => pet !== undefined)) return pets;
  throw new UnexpectedAnswerError('listPets', answer, 'does not hold a list of animals');
}
