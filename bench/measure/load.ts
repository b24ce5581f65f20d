import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeCalls } from './processes.ts';
import { create, type PlannedRequest, toLine } from './request.ts';
import { boundTo, type Server } from './server.ts';
import { requestsOf, WORKLOADS, type WorkloadName } from './workloads.ts';

const LOAD_CORE = '1';
const SCRIPT = join(import.meta.dir, 'replay.lua');
const PRIMING_CONNECTIONS = 16;
export const CONNECTIONS = 64;

export interface Load extends Disposable {
  /** Requests sent so far. */
  sent(): number;
  /** Ends the load. Throws when a response was missing or wrong. */
  end(): Promise<void>;
}

/** The last line that replay.lua prints. `refused` counts the statuses from 400 on. */
type Report = Readonly<Record<'requests' | 'refused' | 'failures', number>>;

/** Prepares a workload and returns a function that starts it. */
export async function prepareLoad(
  server: Server,
  workload: WorkloadName,
  connections = CONNECTIONS,
) {
  const { isPrimed, creates, refusedWith, request } = WORKLOADS[workload];
  const { contender, url, folder } = server;
  const planned = requestsOf(workload, contender.fixture);
  const file = join(folder, `${workload}.requests`);
  writeFileSync(file, planned.map((each) => toLine(url, server.translate(each))).join(''));
  if (isPrimed) await sendOnce(server, planned);
  const idBefore = creates ? await createOne(server) : 0;

  const verify = async (report: Report) => {
    const { requests, refused, failures } = report;
    // The load generator counts refusals but cannot tell a 401 from a 429.
    const status = refusedWith && (await server.send(request(0, contender.fixture))).status;
    const isExpected = refused === (refusedWith === undefined ? 0 : requests);
    // Requests that are in flight when a load ends may add pets that the load does not count.
    const extraPets = creates ? (await createOne(server)) - idBefore - 1 - requests : 0;
    const isCounted = extraPets >= 0 && extraPets <= connections;
    if (failures === 0 && isExpected && status === refusedWith && isCounted) return;
    const figures = JSON.stringify({ ...report, status, extraPets });
    throw new Error(`${workload}: wrong responses under load: ${figures}`);
  };
  return (): Load => {
    const options = ['--threads=1', `--connections=${connections}`, '--duration=1h'];
    // A slow response must count as slow, not as a failure.
    const words = ['wrk', ...options, '--timeout=30', `--script=${SCRIPT}`, url, '--', file];
    const wrk = Bun.spawn([...boundTo(LOAD_CORE), ...words], { stderr: 'inherit' });
    return {
      // wrk writes each request with one call, and prints its own count only at the end.
      sent: () => writeCalls(wrk.pid),
      async end() {
        wrk.kill('SIGINT');
        await verify(toReport(await new Response(wrk.stdout).text()));
      },
      [Symbol.dispose]: () => wrk.kill(),
    };
  };
}

function toReport(output: string): Report {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`wrk failed: ${output}`);
  return JSON.parse(line);
}

export async function sendOnce(server: Server, requests: readonly PlannedRequest[]): Promise<void> {
  const waiting = requests.values();
  const sender = async () => {
    for (const request of waiting) await (await server.send(request)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: PRIMING_CONNECTIONS }, sender));
}

/** Adds a pet and returns its id. */
async function createOne(server: Server): Promise<number> {
  const response = await server.send(create(1));
  return JSON.parse(await response.text()).id;
}
