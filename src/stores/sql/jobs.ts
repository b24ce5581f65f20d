type Run<Job, Result> = (jobs: readonly Job[]) => Promise<readonly Result[]>;

/**
 * Runs jobs in batches, so that many jobs cost as much as one under load. Jobs of one turn of the event
 * loop share a batch. Unless batches are overlapping, so do all jobs that arrive while one runs. `run`
 * returns the results in the order of the jobs. An error it throws fails the whole batch.
 */
export function batcher<Job, Result>(
  run: Run<Job, Result>,
  maxPerBatch: number,
  order?: 'overlapping',
) {
  const waiting: (Omit<PromiseWithResolvers<Result>, 'promise'> & { readonly job: Job })[] = [];
  let running: Promise<void> | undefined;

  async function runBatch(batch: typeof waiting): Promise<void> {
    try {
      const results = await run(batch.map(({ job }) => job));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function runAll(): Promise<void> {
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = runBatch(waiting.splice(0, maxPerBatch));
      if (order !== 'overlapping') await batch;
    }
    running = undefined;
  }

  return {
    add(job: Job): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push({ job, resolve, reject });
      running ??= runAll();
      return promise;
    },

    /** Drops a job that has not begun. Its result stays open. */
    withdraw(job: Job): void {
      const index = waiting.findIndex((each) => each.job === job);
      if (index !== -1) waiting.splice(index, 1);
    },

    /** Resolves once all added jobs are done, unless batches are overlapping. */
    settled: async () => await running,
  };
}

/** How much longer than a slice its pause is. */
const PAUSES = 3;
/** Only requests of this process wait for a read, and those come first anyway if it is short. */
const SHORT_READ_MS = 2;

/**
 * Does a slice of work in the background, which must be short, and then lets requests come first. Those of
 * other processes may wait for the lock of a write, for which SQLite looks only now and then: after a short
 * pause, some would find it taken again and again.
 */
export async function inSlice<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  const tookMs = performance.now() - startedAtMs;
  const needsPause = kind === 'write' || tookMs >= SHORT_READ_MS;
  await (needsPause ? Bun.sleep(PAUSES * tookMs) : new Promise(setImmediate));
  return result;
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
