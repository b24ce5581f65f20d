/**
 * Runs jobs in batches, so that under load many jobs cost as much as one. The jobs of one turn of the event
 * loop share a batch. Usually one batch runs at a time, and the jobs that arrive meanwhile share the next
 * one. If batches are overlapping, the next batch does not wait for the one before. `run` returns the
 * results in the order of the jobs. An error that it throws fails all jobs of the batch.
 */
export function batcher<Job, Result>(
  run: (jobs: readonly Job[]) => Promise<readonly Result[]>,
  maxPerBatch: number,
  order?: 'overlapping',
) {
  const waiting: (PromiseWithResolvers<Result> & { readonly job: Job })[] = [];
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
      const result = Promise.withResolvers<Result>();
      waiting.push({ ...result, job });
      running ??= runAll();
      return result.promise;
    },

    /** Removes a job that has not begun. Its promise is never settled. */
    withdraw(job: Job): void {
      const index = waiting.findIndex((each) => each.job === job);
      if (index !== -1) waiting.splice(index, 1);
    },

    /** Resolves once all added jobs are done, unless batches are overlapping. */
    settled: async () => await running,
  };
}
