interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs jobs in batches, one after the other. Jobs that come while a batch is under way wait and
 * share the next one: under load many are done at the price of one.
 */
export class Batcher<Job, Result> {
  readonly #run: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  readonly #mostPerBatch: number;
  readonly #waiting: Waiting<Job, Result>[] = [];
  #running: Promise<void> | undefined;

  /** `run` answers each job in its place; what it throws, every job of the batch is told. */
  constructor(run: (jobs: readonly Job[]) => Promise<readonly Result[]>, mostPerBatch: number) {
    this.#run = run;
    this.#mostPerBatch = mostPerBatch;
  }

  add(job: Job): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ job, resolve, reject });
    this.#running ??= this.#runAll();
    return promise;
  }

  /** Resolves once all jobs that were added are done. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    // Jobs of requests that were read in the same turn of the event loop go together.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#mostPerBatch);
      try {
        const results = await this.#run(batch.map(({ job }) => job));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = undefined;
  }
}
