import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { CapturedAnswer, Contender, Place, SharedServers } from './contender.ts';
import { countPets } from './contenders.ts';
import { secretOf } from './fixture.ts';
import { type LoadReport, load } from './load.ts';
import { cpuSeconds, peakMemoryMb } from './process-tree.ts';
import { ask, call } from './questions.ts';
import type { Sample } from './results.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { type PlannedRequest, toLines, WORKLOADS, type WorkloadName } from './workloads.ts';

export const CONNECTIONS = 64;
/** Beside the fixtures, and not in the machine's temporary folder, which may be no disk at all. */
export const RUN_FOLDER = 'run';
const PRIMING_CONNECTIONS = 16;
const SETTLING_MS = 100;
const PROBE = { path: '/v1/pets/1', key: secretOf(1) };

/** What a contender is given to work with. */
export interface Equipment {
  readonly fixtureFile: string;
  readonly answer: CapturedAnswer;
  readonly shared: SharedServers | undefined;
}

/** A contender that runs, with a folder of its own. It idles while others are loaded. */
export class Participant implements AsyncDisposable {
  readonly contender: Contender;
  readonly #place: Place;
  #server: ServerProcess;
  readonly #planned = new Map<WorkloadName, readonly PlannedRequest[]>();
  /** How many requests of each workload were sent: the next load goes on there. */
  readonly #sent = new Map<WorkloadName, number>();

  private constructor(contender: Contender, place: Place, server: ServerProcess) {
    this.contender = contender;
    this.#place = place;
    this.#server = server;
  }

  /** Throws when it answers a question wrongly. */
  static async start(contender: Contender, equipment: Equipment): Promise<Participant> {
    const place = await placeFor(contender, equipment);
    const server = await startServer(contender.command(place), place.port, PROBE);
    await using starting = new AsyncDisposableStack();
    const participant = starting.use(new Participant(contender, place, server));
    await participant.ask();
    if (contender.fixture.busyAccounts > 1) await participant.#hearFromEveryAccount();
    starting.move();
    return participant;
  }

  async ask(): Promise<void> {
    await ask(this.#server.url, this.contender.topics, this.#place.answer);
  }

  /** A load that is not measured. */
  async warmUp(name: WorkloadName, seconds: number): Promise<void> {
    const workload = WORKLOADS[name];
    await prime(this.#server.url, workload.before?.(this.contender.fixture) ?? []);
    await this.#load(name, Math.max(seconds, workload.leastWarmUpSeconds ?? 0));
  }

  /** Throws when an answer is not what the workload expects. */
  async measure(name: WorkloadName, seconds: number): Promise<Sample> {
    const workload = WORKLOADS[name];
    const petsBefore = workload.creates ? await this.#settledCount() : 0;
    const cpuBefore = cpuSeconds(this.#server.pid);
    const report = await this.#load(name, seconds);
    const cpu = cpuSeconds(this.#server.pid) - cpuBefore;

    const refused = workload.refusedWith === undefined ? 0 : report.requests;
    if (report.refused !== refused) {
      throw new Error(`${report.refused} of ${report.requests} were refused, not ${refused}`);
    }
    if (workload.refusedWith !== undefined) await this.#requireRefusal(name, workload.refusedWith);
    if (workload.creates) requireGrowth((await this.#settledCount()) - petsBefore, report);
    return {
      perSecond: report.requests / report.seconds,
      p50Us: report.p50Us,
      p99Us: report.p99Us,
      cpuUsPerRequest: (cpu * 1e6) / report.requests,
    };
  }

  peakMemoryMb(): number {
    return peakMemoryMb(this.#server.pid);
  }

  /** How long it takes from its start to its first answer, on the store as it has become. */
  async restart(): Promise<number> {
    await this.#server[Symbol.asyncDispose]();
    this.#server = await startServer(this.contender.command(this.#place), this.#place.port, PROBE);
    return this.#server.startMs;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#server[Symbol.asyncDispose]();
  }

  /** The answer to the probe, header by header. */
  async captureAnswer(): Promise<CapturedAnswer> {
    const answer = await call(this.#server.url, PROBE.path, PROBE);
    const { date, 'content-length': length, connection, ...headers } = answer.headers.toJSON();
    return { status: answer.status, headers, body: answer.text };
  }

  async #load(name: WorkloadName, seconds: number): Promise<LoadReport> {
    this.#plan(name);
    const offset = this.#sent.get(name) ?? 0;
    const file = this.#fileOf(name);
    const { url } = this.#server;
    const report = await load({ url, connections: CONNECTIONS, seconds, file, offset });
    this.#sent.set(name, offset + report.requests);
    return report;
  }

  /** Who is refused too often is refused in another way, which is not what is measured. */
  async #requireRefusal(name: WorkloadName, expected: number): Promise<void> {
    const [first] = this.#plan(name);
    if (first === undefined) throw new Error(`There is nothing to send for ${name}`);
    const { status } = await call(this.#server.url, first.path, first);
    if (status === expected) return;
    throw new Error(`${name} came to be answered ${status}. Take fewer rounds, or shorter ones.`);
  }

  /** The requests of a workload, which the load generator reads from a file. */
  #plan(name: WorkloadName): readonly PlannedRequest[] {
    const known = this.#planned.get(name);
    if (known !== undefined) return known;
    const requests = WORKLOADS[name].requests(this.contender.fixture);
    writeFileSync(this.#fileOf(name), toLines(requests));
    this.#planned.set(name, requests);
    return requests;
  }

  #fileOf(name: WorkloadName): string {
    return join(this.#place.folder, `${name}.requests`);
  }

  /** How many animals there are once the last requests of the load before are done. */
  async #settledCount(): Promise<number> {
    for (let before = -1; ; ) {
      const count = await countPets(this.contender, this.#place);
      if (count === before) return count;
      before = count;
      await Bun.sleep(SETTLING_MS);
    }
  }

  /** Every account sends at least one request, so that each is among what the server remembers. */
  async #hearFromEveryAccount(): Promise<void> {
    const { busyAccounts } = this.contender.fixture;
    while ((this.#sent.get('getPet') ?? 0) < busyAccounts) await this.#load('getPet', 1);
  }
}

/** The answer that the ceilings send: what getPet of a contender sends. */
export async function captureAnswer(
  contender: Contender,
  fixtureFile: string,
): Promise<CapturedAnswer> {
  const nothing = { status: 0, headers: {}, body: '' };
  const equipment = { fixtureFile, answer: nothing, shared: undefined };
  await using participant = await Participant.start(contender, equipment);
  return await participant.captureAnswer();
}

async function placeFor(
  { name }: Contender,
  { fixtureFile, answer, shared }: Equipment,
): Promise<Place> {
  const folder = join(dirname(fixtureFile), RUN_FOLDER, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const databaseFile = join(folder, 'store.db');
  copyFileSync(fixtureFile, databaseFile);
  return { folder, databaseFile, port: await freePort(), answer, shared };
}

/** Requests under way when the load ends may have added an animal that nobody was told of. */
function requireGrowth(growth: number, { requests }: LoadReport): void {
  if (growth >= requests && growth <= requests + CONNECTIONS) return;
  throw new Error(`${requests} animals were confirmed, and ${growth} are there`);
}

async function prime(url: string, requests: readonly PlannedRequest[]): Promise<void> {
  const waiting = [...requests];
  const sender = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await call(url, next.path, next);
    }
  };
  await Promise.all(Array.from({ length: PRIMING_CONNECTIONS }, sender));
}
