interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs jobs in batches, one after the other. Jobs that arrive while a batch runs share the next one,
 * so that many jobs cost as much as one under load.
 */
export class Batcher<Job, Result> {
  readonly #run: (jobs: readonly Job[]) => Promise<readonly Result[]>;
  readonly #maxPerBatch: number;
  readonly #waiting: Waiting<Job, Result>[] = [];
  #running: Promise<void> | undefined;

  /** `run` returns the results in the order of the jobs. An error it throws fails the whole batch. */
  constructor(run: (jobs: readonly Job[]) => Promise<readonly Result[]>, maxPerBatch: number) {
    this.#run = run;
    this.#maxPerBatch = maxPerBatch;
  }

  /** Drops a job that has not begun. Its result stays open. */
  withdraw(job: Job): void {
    const index = this.#waiting.findIndex((waiting) => waiting.job === job);
    if (index !== -1) this.#waiting.splice(index, 1);
  }

  add(job: Job): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ job, resolve, reject });
    this.#running ??= this.#runAll();
    return promise;
  }

  /** Resolves once all added jobs are done. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    // Requests that were read in the same turn of the event loop share a batch.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#maxPerBatch);
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
