import { type Report, runConformance } from '../../src/conformance/run.ts';
import type { SessionOptions } from '../../src/conformance/session.ts';
import { Clock } from '../support/clock.ts';
import {
  FREE_KEY,
  KEY,
  type ReferenceServerOptions,
  startReferenceServer,
} from './reference-server.ts';

interface Checked extends Report {
  /** In seconds. */
  readonly waits: readonly number[];
  readonly failedIds: readonly string[];
  readonly notCheckableIds: readonly string[];
}

/** Runs the checks against a reference server. Both share a clock, which advances only in waits. */
export async function checkReferenceServer(
  server: Partial<ReferenceServerOptions> = {},
  options: Partial<SessionOptions> = {},
): Promise<Checked> {
  const clock = server.clock ?? new Clock();
  using started = startReferenceServer({ ...server, clock });
  const waits: number[] = [];
  const report = await runConformance({
    baseUrl: started.url,
    keys: { key: KEY, free: FREE_KEY },
    mayWait: true,
    timeoutMs: 60_000,
    now: clock.now,
    sleep: async (ms) => clock.advance(ms / 1000),
    onWait: (seconds) => waits.push(seconds),
    ...options,
  });
  const idsOf = (outcome: string) =>
    report.results.filter((result) => result.outcome === outcome).map(({ id }) => id);
  return { ...report, waits, failedIds: idsOf('failed'), notCheckableIds: idsOf('notCheckable') };
}

/** Why a check was not possible, or its outcome. */
export function reasonOf({ results }: Report, id: string): string | undefined {
  const result = results.find((one) => one.id === id);
  return result?.outcome === 'notCheckable' ? result.reason : result?.outcome;
}
