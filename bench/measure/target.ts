import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fixture, keyOf, petOf } from './fixture.ts';
import { CONNECTIONS, type Load, type LoadReport, startLoad } from './load.ts';
import { send } from './send.ts';
import type { Server } from './server.ts';
import { type PlannedRequest, toLine, WORKLOADS, type WorkloadName } from './workloads.ts';

const PRIMING_CONNECTIONS = 16;

/** A running server and the store that it serves. */
export interface Target {
  readonly server: Server;
  readonly fixture: Fixture;
  /** For the requests of the load. */
  readonly folder: string;
}

/** Loads a server with a workload. The report rejects when a response is not the expected one. */
export async function loadTarget(
  { server: { url }, fixture, folder }: Target,
  name: WorkloadName,
  seconds: number,
): Promise<Load> {
  const { isPrimed, creates, refusedWith, requests } = WORKLOADS[name];
  const planned = requests(fixture);
  const file = join(folder, `${name}.requests`);
  writeFileSync(file, planned.map(toLine).join(''));
  if (isPrimed) await sendOnce(url, planned);
  const idBefore = creates ? await createOne(url) : 0;
  const load = startLoad(url, file, seconds);

  const check = async (report: LoadReport) => {
    requireRefusals(report, refusedWith !== undefined);
    if (refusedWith !== undefined) await requireStatus(url, planned[0], refusedWith);
    if (creates) requireGrowth((await createOne(url)) - idBefore, report.requests);
    return report;
  };
  return { ...load, report: load.report.then(check) };
}

async function sendOnce(url: string, requests: readonly PlannedRequest[]): Promise<void> {
  const waiting = requests.values();
  const sender = async () => {
    for (const request of waiting) await send(url, request);
  };
  await Promise.all(Array.from({ length: PRIMING_CONNECTIONS }, sender));
}

function requireRefusals({ refused, requests }: LoadReport, areExpected: boolean): void {
  if (refused === (areExpected ? requests : 0)) return;
  throw new Error(`${refused} of ${requests} responses are refusals`);
}

/** The load generator counts refusals but cannot tell a 401 from a 429. */
async function requireStatus(
  url: string,
  request: PlannedRequest | undefined,
  expected: number,
): Promise<void> {
  const { status } = await send(url, request ?? { path: '/', key: '' });
  if (status !== expected) throw new Error(`A refusal has status ${status}, not ${expected}`);
}

async function createOne(url: string): Promise<number> {
  const { id, ...newPet } = petOf(1);
  const body = JSON.stringify(newPet);
  const { text } = await send(url, { method: 'POST', path: '/v1/pets', key: keyOf(1), body });
  return JSON.parse(text).id;
}

/** Requests in flight when a load ends may add pets that the load generator does not count. */
function requireGrowth(growth: number, confirmed: number): void {
  if (growth > confirmed && growth <= confirmed + CONNECTIONS + 1) return;
  throw new Error(`${confirmed} pets were confirmed, but ids grew by ${growth}`);
}
