import { join } from 'node:path';
import { type ApiCaller, apiCaller } from '../test/support/api-caller.ts';
import { eventually, serve } from '../test/support/command.ts';
import { openStore } from '../test/support/open-store.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atLeast, type Fault, none } from './fault.ts';
import { awaitLongDay, createLimitedKey } from './limited-key.ts';

const LIMIT = 1_000_000;
/** A save begins within 50 ms. This is longer, since the service shares the machine. */
const SAVED_AFTER_MS = 250;
const LONGEST_RUN_MS = 500;
const MAX_CYCLE_SECONDS = 10;

/** The requests that the service had counted, as a response said. */
interface Count {
  readonly used: number;
  readonly atMs: number;
}

/** Sends one request after the other until the service is gone. */
async function countUntilGone({ get }: ApiCaller, counts: Count[]): Promise<void> {
  try {
    for (;;) {
      const response = await get('/pets?limit=1');
      await response.text();
      const remaining = Number(response.headers.get('X-RateLimit-Remaining'));
      counts.push({ used: LIMIT - remaining, atMs: performance.now() });
    }
  } catch {
    // The service was killed.
  }
}

/** The count that a kill must not lose. While nothing responds, the service may not save either. */
function countToKeep(counts: readonly Count[], killedAtMs: number): number {
  const before = counts.filter(({ atMs }) => atMs < killedAtMs);
  const ends = [...before.slice(1).map(({ atMs }) => atMs), killedAtMs];
  const longestGapMs = Math.max(...before.map(({ atMs }, index) => (ends[index] ?? 0) - atMs));
  const latestMs = killedAtMs - SAVED_AFTER_MS - longestGapMs;
  return before.findLast(({ atMs }) => atMs < latestMs)?.used ?? 0;
}

export const crashLoop: Fault = {
  name: 'crash-loop',
  title: '`kill -9` soon after the start, again and again, with the limits in process',
  unit: 'kills',
  amounts: { full: 40, short: 3 },
  async run({ amount, random, step }) {
    await awaitLongDay(amount * MAX_CYCLE_SECONDS);
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    const secret = await createKey(settings.DATABASE_URL);
    let [kept, lost, checked] = [0, 0, 0];
    for (let cycle = 0; cycle <= amount; cycle++) {
      await using service = await serve(settings);
      const counts: Count[] = [];
      const counting = countUntilGone(apiCaller(service.started.api, secret), counts);
      await eventually(() => counts.length > 0);
      const countedBefore = (counts[0]?.used ?? 0) - 1;
      lost += Math.max(0, kept - countedBefore);
      if (cycle < amount) await Bun.sleep(SAVED_AFTER_MS + random() * LONGEST_RUN_MS);
      const killedAtMs = performance.now();
      service.kill('SIGKILL');
      await counting;
      kept = countToKeep(counts, killedAtMs);
      checked += Math.max(0, kept - countedBefore);
      if (cycle < amount) step();
    }
    return [
      none(`counts lost that were older than ${SAVED_AFTER_MS} ms`, lost),
      atLeast(amount, 'counts that were older at a kill', checked),
    ];
  },
};

async function createKey(url: string): Promise<string> {
  await using store = await openStore(url);
  return await createLimitedKey(store, { perMinute: 2 * LIMIT, perDay: LIMIT });
}
