import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { openPostgresTransfer } from '../src/postgres/transfer.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { requireProgram } from '../test/support/programs.ts';
import { TestRedis } from '../test/support/redis.ts';
import { toChart } from './harness/chart.ts';
import type { Contender, SharedServers } from './harness/contender.ts';
import { CONTENDERS, OURS_LARGE } from './harness/contenders.ts';
import { fill, fixtureFile, SMALL } from './harness/fixture.ts';
import { judge } from './harness/goals.ts';
import { installPeers } from './harness/install-peers.ts';
import { describeMachine } from './harness/machine.ts';
import { toMarkdown } from './harness/markdown.ts';
import { type Options, readOptions } from './harness/options.ts';
import { CONNECTIONS, captureAnswer, Participant, RUN_FOLDER } from './harness/participant.ts';
import { writePage } from './harness/performance-page.ts';
import type { Report } from './harness/report.ts';
import { type Results, resultsOf } from './harness/results.ts';
import { RACES, type WorkloadName } from './harness/workloads.ts';

const DATA = join(import.meta.dir, '.data');
const SETTLING_MS = 200;

// Servers end with this process, and leave files to take away.
await using servers = new AsyncDisposableStack();
servers.defer(() => rmSync(join(DATA, RUN_FOLDER), { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await servers.disposeAsync();
    process.exit(130);
  });
}

try {
  const options = readOptions(process.argv.slice(2), CONTENDERS);
  requireMachine();
  installPeers();
  write(await run(options), options);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function requireMachine(): void {
  if (cpus().length < 2) throw new Error('It takes two cores: one to serve, one to load.');
  for (const name of ['taskset', 'setpriv']) requireProgram(name, 'util-linux');
  const [busy = 0] = loadavg();
  if (busy > 0.5) {
    console.error(`The machine has other work (load ${busy.toFixed(1)}): figures will scatter.`);
  }
}

async function run(options: Options): Promise<Report> {
  const { contenders, rounds, seconds } = options;
  const results: Results = new Map();
  const participants = await startAll(contenders);
  for (const race of RACES) await runRace(race, participants, options, results);
  for (const participant of participants) {
    const { contender } = participant;
    const { peakMemoryMb, startMs } = resultsOf(results, contender.name);
    peakMemoryMb.push(participant.peakMemoryMb());
    await named(contender, () => participant.ask());
    if (contender.name !== OURS_LARGE) continue;
    for (let count = 0; count < options.restarts; count++)
      startMs.push(await participant.restart());
  }
  return {
    takenAt: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    rounds,
    seconds,
    connections: CONNECTIONS,
    contenders,
    results,
    goals: judge(results),
  };
}

async function startAll(contenders: readonly Contender[]): Promise<Participant[]> {
  const [ours] = CONTENDERS;
  if (ours === undefined) throw new Error('There is nobody to compare with');
  const answer = await captureAnswer(ours, await fixtureFile(DATA, SMALL));
  const shared = contenders.some(({ isShared }) => isShared) ? await startShared() : undefined;
  const participants: Participant[] = [];
  for (const contender of contenders) {
    console.error(`Starting ${contender.title}`);
    const equipment = {
      fixtureFile: await fixtureFile(DATA, contender.fixture),
      answer,
      shared: contender.isShared ? shared : undefined,
    };
    const participant = await named(contender, () => Participant.start(contender, equipment));
    participants.push(servers.use(participant));
  }
  return participants;
}

/** Workloads that are compared with each other: in each round, each is given to one after the other. */
async function runRace(
  race: readonly WorkloadName[],
  participants: readonly Participant[],
  { workloads, rounds, seconds, warmUpSeconds }: Options,
  results: Results,
): Promise<void> {
  const heats = race
    .filter((workload) => workloads.includes(workload))
    .map((workload) => ({
      workload,
      runners: participants.filter(({ contender }) => contender.workloads.includes(workload)),
    }));
  for (const { workload, runners } of heats) {
    console.error(`${workload}: warming up`);
    for (const runner of runners) {
      await named(runner.contender, () => runner.warmUp(workload, warmUpSeconds));
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const { workload, runners } of heats) {
      console.error(`${workload}: round ${round + 1} of ${rounds}`);
      for (const runner of inTurns(runners, round)) {
        const { samples } = resultsOf(results, runner.contender.name);
        const sample = await named(runner.contender, () => runner.measure(workload, seconds));
        samples[workload] = [...(samples[workload] ?? []), sample];
        // What it still has to collect or to write is not to slow the next one.
        await Bun.sleep(SETTLING_MS);
      }
    }
  }
}

/** Nobody is always first, or always after the same. */
function inTurns<T>(items: readonly T[], round: number): T[] {
  const start = round % items.length;
  const rotated = [...items.slice(start), ...items.slice(0, start)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}

async function named<T>(contender: Contender, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${contender.title}: ${(error as Error).message}`, { cause: error });
  }
}

async function startShared(): Promise<SharedServers> {
  const postgres = servers.use(await TestPostgres.start());
  const redis = servers.use(await TestRedis.start());
  const postgresUrl = await postgres.newDatabase();
  await using store = await openPostgresTransfer(postgresUrl);
  await fill(store, SMALL);
  return { postgresUrl, redisUrl: redis.url };
}

function write(report: Report, { out, writeDocs }: Options): void {
  const markdown = toMarkdown(report);
  console.log(markdown);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'results.md'), `${markdown}\n`);
  writeFileSync(join(out, 'results.json'), `${toJson(report)}\n`);
  writeFileSync(join(out, 'chart.svg'), toChart(report));
  if (writeDocs) writePage(report);
}

function toJson({ contenders, results, ...report }: Report): string {
  const measured = contenders.map(({ name, title, setup }) => ({
    name,
    title,
    setup,
    ...results.get(name),
  }));
  return JSON.stringify({ ...report, contenders: measured }, null, 2);
}
