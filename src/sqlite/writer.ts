import { OperatorError } from '../domain/error.ts';
import { isOutOfReach, storeUnavailable } from './database.ts';
import type { WriteJob, WriteResult } from './write-jobs.ts';
import type { FromWriter, ToWriter } from './writer-worker.ts';

const MAX_JOBS_PER_COMMIT = 1_000;

interface Waiting {
  readonly job: WriteJob;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes in a thread of its own. Jobs that come while a commit is under way wait and share the
 * next one: under load many animals are synced at the price of one.
 */
export class Writer implements AsyncDisposable {
  readonly #worker = new Worker(new URL('./writer-worker.ts', import.meta.url));
  readonly #waiting: Waiting[] = [];
  #committing: Promise<void> | undefined;
  #answer: (answer: FromWriter) => void = () => {};
  #death: Error | undefined;

  private constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<FromWriter>) => this.#answer(data);
    this.#worker.onerror = ({ message }) => this.#die(message);
    this.#worker.addEventListener('close', () => this.#die('it ended'));
  }

  /** Throws `OperatorError` when the file cannot be written. */
  static async open(path: string): Promise<Writer> {
    const writer = new Writer();
    const answer = await writer.#ask({ open: path });
    if (!('failed' in answer)) return writer;
    writer.#worker.terminate();
    throw new OperatorError(answer.failed.message);
  }

  get isAlive(): boolean {
    return this.#death === undefined;
  }

  /**
   * Resolves once the job is committed and synced. Throws `service_unavailable` when it could
   * not be written.
   */
  run(job: WriteJob): Promise<WriteResult> {
    if (this.#death !== undefined) return Promise.reject(storeUnavailable(this.#death));
    const { promise, resolve, reject } = Promise.withResolvers<WriteResult>();
    this.#waiting.push({ job, resolve, reject });
    this.#committing ??= this.#commitAll();
    return promise;
  }

  async #commitAll(): Promise<void> {
    // Jobs of requests that were read in the same turn of the event loop go together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_JOBS_PER_COMMIT);
      settle(batch, await this.#ask({ jobs: batch.map(({ job }) => job) }));
    }
    this.#committing = undefined;
  }

  /** Fails what waits and whatever comes; reads go on. */
  #die(reason: string): void {
    this.#death ??= new Error(`The writer's thread died: ${reason}`);
    this.#answer({ failed: { code: undefined, message: this.#death.message } });
  }

  /** One order at a time: each is answered before the next is given. */
  #ask(order: ToWriter): Promise<FromWriter> {
    const { promise, resolve } = Promise.withResolvers<FromWriter>();
    this.#answer = resolve;
    if (this.#death === undefined) this.#worker.postMessage(order);
    else resolve({ failed: { code: undefined, message: this.#death.message } });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#committing;
    await this.#ask({ close: true });
    this.#worker.terminate();
  }
}

function settle(batch: readonly Waiting[], answer: FromWriter): void {
  if ('results' in answer) {
    for (const [index, { resolve }] of batch.entries()) {
      resolve(answer.results[index] as WriteResult);
    }
    return;
  }
  const error = failure(answer);
  for (const { reject } of batch) reject(error);
}

function failure(answer: FromWriter): Error {
  if (!('failed' in answer)) return new Error('The writer answered out of turn');
  const { code, message } = answer.failed;
  const cause = Object.assign(new Error(message), { code });
  return code === undefined || isOutOfReach(code) ? storeUnavailable(cause) : cause;
}
