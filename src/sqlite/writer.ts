import { Batcher } from '../domain/batcher.ts';
import { OperatorError, storeUnavailable } from '../domain/error.ts';
import { isOutOfReach } from './database.ts';
import type { WriteJob, WriteResult } from './write-jobs.ts';
import type { FromWriter, ToWriter } from './writer-worker.ts';

const MOST_JOBS_PER_COMMIT = 1_000;

/** Writes in a thread of its own, where jobs that come together share a commit and its sync. */
export class Writer implements AsyncDisposable {
  // With a small heap: what an order leaves behind is collected soon, and the process stays smaller.
  readonly #worker = new Worker(new URL('./writer-worker.ts', import.meta.url), { smol: true });
  readonly #batcher = new Batcher<WriteJob, WriteResult>(
    (jobs) => this.#commit(jobs),
    MOST_JOBS_PER_COMMIT,
  );
  #answer: (answer: FromWriter) => void = () => {};
  #death: Error | undefined;

  private constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<string>) => this.#answer(JSON.parse(data));
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
    return this.#batcher.add(job);
  }

  async #commit(jobs: readonly WriteJob[]): Promise<readonly WriteResult[]> {
    const answer = await this.#ask({ jobs });
    if ('results' in answer) return answer.results;
    throw failure(answer);
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
    if (this.#death === undefined) this.#worker.postMessage(JSON.stringify(order));
    else resolve({ failed: { code: undefined, message: this.#death.message } });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batcher.settled();
    await this.#ask({ close: true });
    this.#worker.terminate();
  }
}

function failure(answer: FromWriter): Error {
  if (!('failed' in answer)) return new Error('The writer answered out of turn');
  const { code, message } = answer.failed;
  const cause = Object.assign(new Error(message), { code });
  return code === undefined || isOutOfReach(code) ? storeUnavailable(cause) : cause;
}
