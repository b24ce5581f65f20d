import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from '../contenders/contenders.ts';
import { keyOf, newPetOf } from './fixture.ts';
import { CONNECTIONS, type Load, type LoadReport, startLoad } from './load.ts';
import { send } from './send.ts';
import type { Server } from './server.ts';
import { type PlannedRequest, toLine, WORKLOADS, type WorkloadName } from './workloads.ts';

const PRIMING_CONNECTIONS = 16;

/** A contender that runs, with a folder for its requests. */
export interface Target {
  readonly contender: Contender;
  readonly server: Server;
  readonly folder: string;
}

/** Prepares a workload. The load that it returns rejects when a response is not as expected. */
export async function prepareLoad(
  { contender: { fixture }, server: { url }, folder }: Target,
  name: WorkloadName,
): Promise<(seconds: number) => Load> {
  const { isPrimed, creates, refusedWith, requests } = WORKLOADS[name];
  const planned = requests(fixture);
  const file = join(folder, `${name}.requests`);
  writeFileSync(file, planned.map(toLine).join(''));
  if (isPrimed) await sendOnce(url, planned);
  const idBefore = creates ? await createOne(url) : 0;
  const verify = async (figures: LoadReport) => {
    const { requests: count, refused } = figures;
    if (refused !== (refusedWith === undefined ? 0 : count)) {
      throw new Error(`${name}: ${refused} of ${count} responses are refusals`);
    }
    // The load generator counts refusals but cannot tell a 401 from a 429.
    const [first] = planned;
    const status = refusedWith && first && (await send(url, first)).status;
    if (status !== refusedWith) throw new Error(`${name}: got ${status}, not ${refusedWith}`);
    // Requests in flight when a load ends may add pets that nobody counts.
    const extra = creates ? (await createOne(url)) - idBefore - 1 - count : 0;
    if (extra < 0 || extra > CONNECTIONS) throw new Error(`${name}: ${extra} pets too many`);
    return figures;
  };
  return (seconds) => {
    const { sent, report } = startLoad(url, file, seconds);
    return { sent, report: report.then(verify) };
  };
}

async function sendOnce(url: string, requests: readonly PlannedRequest[]): Promise<void> {
  const waiting = requests.values();
  const sender = async () => {
    for (const request of waiting) await send(url, request);
  };
  await Promise.all(Array.from({ length: PRIMING_CONNECTIONS }, sender));
}

/** Adds a pet and returns its id. */
async function createOne(url: string): Promise<number> {
  const body = JSON.stringify(newPetOf(1));
  const { text } = await send(url, { method: 'POST', path: '/v1/pets', key: keyOf(1), body });
  return JSON.parse(text).id;
}
