interface Waiting<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type Run<Job, Result> = (jobs: readonly Job[]) => Promise<readonly Result[]>;

/**
 * Runs jobs in batches, so that many jobs cost as much as one under load. Jobs of one turn of the event
 * loop share a batch. Unless batches are overlapping, so do all jobs that arrive while one runs.
 */
export class Batcher<Job, Result> {
  readonly #run: Run<Job, Result>;
  readonly #maxPerBatch: number;
  readonly #overlaps: boolean;
  readonly #waiting: Waiting<Job, Result>[] = [];
  #running: Promise<void> | undefined;

  /** `run` returns the results in the order of the jobs. An error it throws fails the whole batch. */
  constructor(run: Run<Job, Result>, maxPerBatch: number, order?: 'overlapping') {
    this.#run = run;
    this.#maxPerBatch = maxPerBatch;
    this.#overlaps = order === 'overlapping';
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

  /** Resolves once all added jobs are done, unless batches are overlapping. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const running = this.#runBatch(this.#waiting.splice(0, this.#maxPerBatch));
      if (!this.#overlaps) await running;
    }
    this.#running = undefined;
  }

  async #runBatch(batch: readonly Waiting<Job, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ job }) => job));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** Waits for work with a deadline. Throws the error from `late` when time is up. */
export async function withDeadline<T>(
  milliseconds: number,
  work: PromiseLike<T>,
  late: () => Error,
): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), milliseconds);
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
