import { mkdirSync, writeFileSync } from 'node:fs';
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
import { writePage } from './harness/performance-page.ts';
import type { Report } from './harness/report.ts';
import { type Results, resultsOf } from './harness/results.ts';
import { CONNECTIONS, captureAnswer, takeTurn } from './harness/turn.ts';

const DATA = join(import.meta.dir, '.data');

// Servers of a turn end with this process; those for all rounds have files to take away.
await using servers = new AsyncDisposableStack();
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
  write(await runRounds(options), options);
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

async function runRounds({ contenders, rounds, ...turn }: Options): Promise<Report> {
  const [ours] = CONTENDERS;
  if (ours === undefined) throw new Error('There is nobody to compare with');
  const answer = await captureAnswer(ours, await fixtureFile(DATA, SMALL));
  const shared = contenders.some(({ isShared }) => isShared) ? await startShared() : undefined;
  const results: Results = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const contender of rotated(contenders, round)) {
      console.error(`Round ${round + 1} of ${rounds}: ${contender.title}`);
      const equipment = {
        fixtureFile: await fixtureFile(DATA, contender.fixture),
        answer,
        shared: contender.isShared ? shared : undefined,
      };
      const workloads = contender.workloads.filter((name) => turn.workloads.includes(name));
      const restarts = contender.name === OURS_LARGE ? turn.restarts : 0;
      await named(contender, () =>
        takeTurn(
          contender,
          equipment,
          { ...turn, workloads, restarts },
          resultsOf(results, contender.name),
        ),
      );
    }
  }
  return {
    takenAt: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    rounds,
    seconds: turn.seconds,
    connections: CONNECTIONS,
    contenders,
    results,
    goals: judge(results),
  };
}

/** Nobody is always first, or always after the same. */
function rotated<T>(items: readonly T[], round: number): T[] {
  const start = round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

async function named(contender: Contender, work: () => Promise<void>): Promise<void> {
  try {
    await work();
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
