import { parseArgs } from 'node:util';
import { type Figures, measureRuns, newStore, type Run, versionsOf } from './measure/deployment.ts';
import { runInLab } from './measure/lab.ts';
import { measureScript } from './measure/script-cost.ts';
import { QUICK_PACE } from './measure/windows.ts';
import { growthToMarkdown, scriptToMarkdown } from './report/growth.ts';
import { conditions, machine, writeResults } from './report/page.ts';

/**
 * Measures how the CPU time of a request grows with instances, accounts and connections, and computes how many
 * servers are needed for higher request rates. It also measures what the script of the limiter costs Redis.
 */

const BASELINE: Run = {
  title: 'getPet: 1 instance with 64 connections, 100,000 accounts and pets',
  why: '',
  workload: 'ownPet',
  instances: 1,
  accounts: 100_000,
  connections: 64,
};
/** The run that the others are compared with, runs that differ from it in one value, and a run of creations. */
const RUNS: readonly Run[] = [
  BASELINE,
  {
    ...BASELINE,
    title: '2 instances',
    why: 'fewer requests share a query or a script call',
    instances: 2,
  },
  {
    ...BASELINE,
    title: '4 instances',
    why: 'fewer requests share a query or a script call',
    instances: 4,
  },
  {
    ...BASELINE,
    title: '1 account and pet',
    why: 'key and pet are cached',
    accounts: 1,
  },
  {
    ...BASELINE,
    title: '1,000,000 accounts and pets',
    why: 'larger indexes',
    accounts: 1_000_000,
  },
  {
    ...BASELINE,
    title: '1 connection',
    why: 'each request has its own query and script call, and wakes the instance, PostgreSQL and Redis',
    connections: 1,
  },
  {
    ...BASELINE,
    title: '512 connections',
    why: 'more requests share a query or a script call',
    connections: 512,
  },
  {
    ...BASELINE,
    title: 'Redis Cluster',
    why: 'requests of different accounts cannot share a script call',
    isCluster: true,
  },
  {
    ...BASELINE,
    title: 'createPet by 1 account',
    why: 'creations share commits',
    accounts: 1,
    workload: 'createPet',
  },
];
const PACE = {
  windowSeconds: 2,
  fewestWindows: 8,
  mostWindows: 60,
  firstWarmUpSeconds: 15,
  warmUpSeconds: 2,
};

const SCRIPT_ROUNDS = 200;

await runInLab(async (lab) => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      'only-script': { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const { redis } = await lab.servers();
  const cost = await measureScript(redis, values.quick ? 2 : SCRIPT_ROUNDS);
  const ofScript = scriptToMarkdown(cost, machine());
  console.log(ofScript);
  if (values['write-docs']) writeResults('scaling.md', ofScript, 'script');
  if (values['only-script']) return;
  const pace = values.quick ? QUICK_PACE : PACE;
  const runs = values.quick ? RUNS.filter(({ accounts }) => accounts < 1_000_000) : RUNS;
  const figures: Figures[] = [];
  for (const [accounts, runsOnStore] of Map.groupBy(runs, (run) => run.accounts)) {
    console.error(`Creating a store with ${accounts} accounts and pets`);
    const url = await newStore(lab, accounts);
    const serversOf = ({ instances, isCluster }: Run) => `${instances} ${isCluster}`;
    for (const runsOnServers of Map.groupBy(runsOnStore, serversOf).values()) {
      figures.push(...(await measureRuns(lab, url, runsOnServers, pace)));
    }
  }
  figures.sort((a, b) => RUNS.indexOf(a.run) - RUNS.indexOf(b.run));
  const markdown = growthToMarkdown(figures, conditions(pace, await versionsOf(lab)));
  console.log(markdown);
  if (values['write-docs']) writeResults('scaling.md', markdown);
});
