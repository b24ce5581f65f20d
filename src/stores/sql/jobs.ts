type Run<Job, Result> = (jobs: readonly Job[]) => Promise<readonly Result[]>;

/**
 * Runs jobs in batches, because under load a batch of many jobs costs about as much as one job. Jobs of one turn of
 * the event loop share a batch. Unless batches are overlapping, all jobs that arrive while a batch runs share the
 * next one. `run` returns the results in the order of the jobs. If it throws, every job of the batch fails.
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

    /** Drops a job that has not begun. Its promise then never settles. */
    withdraw(job: Job): void {
      const index = waiting.findIndex((each) => each.job === job);
      if (index !== -1) waiting.splice(index, 1);
    },

    /** Resolves once all added jobs are done. Not for overlapping batches. */
    settled: async () => await running,
  };
}

/** The pause after a slice takes this many times as long as the slice. */
const PAUSES = 3;
/** Only requests of this process wait for a read. After a short one, they come first even without a pause. */
const SHORT_READ_MS = 2;

/**
 * Does a short slice of work in the background, and then pauses so that requests come first. Requests of other
 * processes may wait for the lock of a write. SQLite tries to get a lock only now and then, so if the pause were
 * short, some of them would find the lock taken again and again.
 */
export async function inSlice<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const result = await work();
  const tookMs = performance.now() - startedAtMs;
  const needsPause = kind === 'write' || tookMs >= SHORT_READ_MS;
  await (needsPause ? Bun.sleep(PAUSES * tookMs) : new Promise(setImmediate));
  return result;
}
