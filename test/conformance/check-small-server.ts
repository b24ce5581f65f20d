import type { Report } from '../../src/conformance/outcome.ts';
import { runConformance } from '../../src/conformance/run.ts';
import type { SessionOptions } from '../../src/conformance/session.ts';
import { Clock } from '../support/clock.ts';
import { FREE_KEY, KEY, type SmallServerOptions, startSmallServer } from './small-server.ts';

export interface Checked extends Report {
  /** How long the run waited, in seconds. */
  readonly waits: readonly number[];
  readonly failedIds: readonly string[];
  readonly notCheckableIds: readonly string[];
}

/** Checks a small server. Time is the server's and the run's alike, and passes only in waits. */
export async function checkSmallServer(
  server: Partial<SmallServerOptions> = {},
  options: Partial<SessionOptions> = {},
): Promise<Checked> {
  const clock = server.clock ?? new Clock();
  using small = startSmallServer({ ...server, clock });
  const waits: number[] = [];
  const report = await runConformance({
    baseUrl: small.url,
    key: KEY,
    freeKey: FREE_KEY,
    mayWait: true,
    timeoutMs: 10_000,
    now: clock.now,
    sleep: async (ms) => clock.advance(ms / 1000),
    onWait: (seconds) => waits.push(seconds),
    ...options,
  });
  const idsOf = (outcome: string) =>
    report.results.filter((result) => result.outcome === outcome).map(({ id }) => id);
  return { ...report, waits, failedIds: idsOf('failed'), notCheckableIds: idsOf('notCheckable') };
}
