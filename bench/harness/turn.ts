import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { CapturedAnswer, Contender, Place, SharedServers } from './contender.ts';
import { countPets } from './contenders.ts';
import { secretOf } from './fixture.ts';
import { type LoadReport, load } from './load.ts';
import { cpuSeconds, peakMemoryMb } from './process-tree.ts';
import { ask } from './questions.ts';
import type { ContenderResults, Sample } from './results.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { toLines, WORKLOADS, type WorkloadName } from './workloads.ts';

export const CONNECTIONS = 64;
const PRIMING_CONNECTIONS = 16;
const SETTLING_MS = 100;
const PROBE = { path: '/v1/pets/1', key: secretOf(1) };

export interface TurnOptions {
  readonly workloads: readonly WorkloadName[];
  readonly seconds: number;
  /** Loads that are not measured: before the first workload, and before each other. */
  readonly firstWarmUpSeconds: number;
  readonly warmUpSeconds: number;
  /** How often it is started again afterwards, to see how long that takes. */
  readonly restarts: number;
}

/** What a contender is given to work with. */
export interface Equipment {
  readonly fixtureFile: string;
  readonly answer: CapturedAnswer;
  readonly shared: SharedServers | undefined;
}

interface Turn {
  readonly contender: Contender;
  readonly place: Place;
  readonly server: ServerProcess;
  readonly options: TurnOptions;
}

/** A contender's part of a round: asked, loaded with each workload, asked again, and stopped. */
export async function takeTurn(
  contender: Contender,
  equipment: Equipment,
  options: TurnOptions,
  results: ContenderResults,
): Promise<void> {
  using place = await placeFor(equipment);
  const start = () => startServer(contender.command(place), place.port, PROBE);
  {
    await using server = await start();
    const turn = { contender, place, server, options };
    await ask(server.url, contender.topics, place.answer);
    if (contender.fixture.busyAccounts > 1) await hearFromEveryAccount(turn);
    let warmUpSeconds = options.firstWarmUpSeconds;
    for (const workload of options.workloads) {
      const sample = await measure(turn, workload, warmUpSeconds);
      const samples = results.samples[workload] ?? [];
      results.samples[workload] = [...samples, sample];
      warmUpSeconds = options.warmUpSeconds;
    }
    results.peakMemoryMb.push(peakMemoryMb(server.pid));
    await ask(server.url, contender.topics, place.answer);
  }
  for (let count = 0; count < options.restarts; count++) {
    await using server = await start();
    results.startMs.push(server.startMs);
  }
}

/** The answer that the ceilings send: what getPet of Animal Store sends, header by header. */
export async function captureAnswer(
  contender: Contender,
  fixtureFile: string,
): Promise<CapturedAnswer> {
  const nothing = { status: 0, headers: {}, body: '' };
  using place = await placeFor({ fixtureFile, answer: nothing, shared: undefined });
  await using server = await startServer(contender.command(place), place.port, PROBE);
  const response = await fetch(`${server.url}${PROBE.path}`, {
    headers: { Authorization: `Bearer ${PROBE.key}` },
  });
  const { date, 'content-length': length, connection, ...headers } = response.headers.toJSON();
  return { status: response.status, headers, body: await response.text() };
}

async function placeFor({ fixtureFile, answer, shared }: Equipment): Promise<Place & Disposable> {
  // Beside the fixture, and not in the machine's temporary folder, which may be no disk at all.
  const folder = join(dirname(fixtureFile), 'turn');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const databaseFile = join(folder, 'store.db');
  copyFileSync(fixtureFile, databaseFile);
  return {
    folder,
    databaseFile,
    port: await freePort(),
    answer,
    shared,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function measure(turn: Turn, name: WorkloadName, warmUpSeconds: number): Promise<Sample> {
  const { contender, place, server, options } = turn;
  const workload = WORKLOADS[name];
  const file = join(place.folder, `${name}.requests`);
  writeFileSync(file, toLines(workload.requests(contender.fixture)));
  const { url } = server;
  await prime(url, workload.before?.(contender.fixture) ?? []);
  const unmeasuredSeconds = Math.max(warmUpSeconds, workload.leastWarmUpSeconds ?? 0);
  if (unmeasuredSeconds > 0) {
    await load({ url, connections: CONNECTIONS, seconds: unmeasuredSeconds, file });
  }

  const petsBefore = workload.creates ? await settledCount(turn) : 0;
  const cpuBefore = cpuSeconds(server.pid);
  const report = await load({ url, connections: CONNECTIONS, seconds: options.seconds, file });
  const cpu = cpuSeconds(server.pid) - cpuBefore;

  const refused = workload.isRefused ? report.requests : 0;
  if (report.refused !== refused) {
    throw new Error(`${report.refused} of ${report.requests} were refused, not ${refused}`);
  }
  if (workload.creates) requireGrowth((await settledCount(turn)) - petsBefore, report);
  return {
    perSecond: report.requests / report.seconds,
    p50Us: report.p50Us,
    p99Us: report.p99Us,
    cpuUsPerRequest: (cpu * 1e6) / report.requests,
  };
}

/** How many animals there are once the last requests of the load before are done. */
async function settledCount({ contender, place }: Turn): Promise<number> {
  for (let before = -1; ; ) {
    const count = await countPets(contender, place);
    if (count === before) return count;
    before = count;
    await Bun.sleep(SETTLING_MS);
  }
}

/** Requests under way when the load ends may have added an animal that nobody was told of. */
function requireGrowth(growth: number, { requests }: LoadReport): void {
  if (growth >= requests && growth <= requests + CONNECTIONS) return;
  throw new Error(`${requests} animals were confirmed, and ${growth} are there`);
}

async function prime(
  url: string,
  requests: readonly { readonly path: string; readonly key: string }[],
): Promise<void> {
  const waiting = [...requests];
  const sender = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const headers = { Authorization: `Bearer ${next.key}` };
      await (await fetch(`${url}${next.path}`, { headers })).arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: PRIMING_CONNECTIONS }, sender));
}

/** Every account sends at least one request, so that each is among what the server remembers. */
async function hearFromEveryAccount({ contender, place, server }: Turn): Promise<void> {
  const file = join(place.folder, 'every-account.requests');
  writeFileSync(file, toLines(WORKLOADS.getPet.requests(contender.fixture)));
  for (let heard = 0; heard < contender.fixture.busyAccounts; ) {
    const { requests } = await load({
      url: server.url,
      connections: CONNECTIONS,
      seconds: 1,
      file,
      offset: heard,
    });
    heard += requests;
  }
}
