/**
 * Jobs of one turn of the event loop share a run. `run` returns the results in the order of the jobs.
 * An error it throws fails all of them. Runs overlap.
 */
export function perTurn<Job, Result>(
  run: (jobs: readonly Job[]) => Promise<readonly Result[]>,
  maxJobs: number,
): (job: Job) => Promise<Result> {
  let turn: { readonly jobs: Job[]; readonly results: Promise<readonly Result[]> } | undefined;

  function begin() {
    const jobs: Job[] = [];
    const results = new Promise(setImmediate).then(() => {
      turn = undefined;
      return run(jobs);
    });
    return { jobs, results };
  }

  return async (job) => {
    if (turn === undefined || turn.jobs.length === maxJobs) turn = begin();
    const place = turn.jobs.push(job) - 1;
    const results = await turn.results;
    return results[place] as Result;
  };
}
