import { AnimalStoreError } from './errors.ts';
import type { CallOptions, CreateOptions } from './options.ts';
import type { NewPet, Pet } from './pet.ts';
import type { WithResponse } from './response.ts';
import { abortable, onAbort } from './runtime.ts';

export interface CreatePetsOptions extends CallOptions {
  /**
   * A name for this input, which lets you repeat the call: the pet with index 7 is sent with the
   * idempotency key `<batch>-7`. Default: a random name.
   */
  readonly batch?: string | undefined;
  /** The index of the first pet to add. Pets with a smaller index are skipped. Default: 0. */
  readonly from?: number | undefined;
  /**
   * The maximum number of pets that are being added, or that wait for you to take them after that: 1 to 200.
   * Default: 8.
   */
  readonly concurrency?: number | undefined;
  /** If a pet would have to wait longer for the rate limit, `createPets` throws instead. Default: Infinity. */
  readonly maxRetryWaitSeconds?: number | undefined;
}

/** A pet that `createPets` added. */
export interface CreatedPet {
  /** The position of the pet in the input, from 0. */
  readonly index: number;
  readonly pet: Pet;
  /** True if an earlier request added the pet, for example in a call that was interrupted. */
  readonly isReplayed: boolean;
}

/** The input of `createPets`. */
export type NewPets = Iterable<NewPet> | AsyncIterable<NewPet>;

/** `createPets` stopped because a pet failed, and `cause` is the reason. You got all pets before this one. */
export class CreatePetsError extends AnimalStoreError {
  override readonly name: string = 'CreatePetsError';

  constructor(
    /** The position of the pet in the input, from 0. */
    readonly index: number,
    /** Pass this name to `createPets` again to continue without adding a pet twice. */
    readonly batch: string,
    cause: unknown,
  ) {
    const message = `The pet at index ${index} of batch ${batch} failed: ${(cause as Error)?.message}`;
    super('createPet', message, { cause });
  }
}

interface NamedBatch extends CreatePetsOptions {
  readonly batch: string;
}

type CreatePet = (newPet: NewPet, options: CreateOptions) => Promise<WithResponse<Pet>>;

/**
 * Adds pets, up to `concurrency` at a time. A pet occupies its place from the moment when it is read from the input
 * until the consumer takes the result.
 */
export async function* createAll(
  createPet: CreatePet,
  newPets: NewPets,
  options: NamedBatch,
): AsyncGenerator<CreatedPet, void, undefined> {
  const { from = 0, concurrency = 8, signal } = options;
  const controller = new AbortController();
  const ownOptions = { ...options, signal: controller.signal };
  const unsubscribe = onAbort(signal, () => controller.abort(signal?.reason));
  let isStopped = false;
  const stop = () => {
    isStopped = true;
  };
  let pendingReads = 0;

  async function* creations() {
    let index = 0;
    for await (const newPet of newPets) {
      if (isStopped) return;
      if (index >= from) {
        // Start adding this pet before the next pet is read, because the input may use one object for all pets.
        const created = createOne(createPet, newPet, index, ownOptions);
        created.catch(stop);
        yield { created };
      }
      index++;
    }
  }
  const input = creations();

  async function createNext(): Promise<CreatedPet | undefined> {
    pendingReads++;
    const { value } = await input.next().finally(() => pendingReads--);
    return value?.created;
  }

  const pending: Promise<CreatedPet | undefined>[] = [];
  try {
    for (;;) {
      controller.signal.throwIfAborted();
      while (pending.length < concurrency) {
        const next = createNext();
        // The creation may fail before the consumer asks for its result. Without this line, that would be an unhandled
        // rejection.
        next.catch(() => {});
        pending.push(next);
      }
      // The input may never continue, so an abort must not wait for the next pet.
      const created = await abortable<CreatedPet | undefined>(
        controller.signal,
        (resolve, reject) => void pending.shift()?.then(resolve, reject),
      );
      if (created === undefined) return;
      yield created;
    }
  } finally {
    stop();
    unsubscribe();
    controller.abort();
    // Close the input. If a read of the input is pending, the input closes only after that read, so do not wait for it.
    const closed = input.return(undefined).catch(() => {});
    if (pendingReads === 0) await closed;
  }
}

async function createOne(
  createPet: CreatePet,
  newPet: NewPet,
  index: number,
  options: NamedBatch,
): Promise<CreatedPet> {
  const { batch, maxRetryWaitSeconds = Infinity } = options;
  const idempotencyKey = `${batch}-${index}`;
  const createOptions = { ...options, maxRetryWaitSeconds, idempotencyKey };
  try {
    const { data: pet, response } = await createPet(newPet, createOptions);
    const isReplayed = response.headers.get('idempotent-replayed') === 'true';
    return { index, pet, isReplayed };
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new CreatePetsError(index, batch, cause);
  }
}
