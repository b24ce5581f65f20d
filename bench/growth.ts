import { parseArgs } from 'node:util';
import { type Figures, measureRuns, newStore, type Run, versionsOf } from './measure/deployment.ts';
import { runInLab } from './measure/lab.ts';
import { QUICK_PACE } from './measure/windows.ts';
import { growthToMarkdown } from './report/growth.ts';
import { conditions, writeResults } from './report/page.ts';

/**
 * Measures how the CPU time of a request grows with instances, accounts and connections, and computes how many
 * servers higher rates of requests need.
 */

const USUAL: Run = {
  title: 'getPet: 1 instance with 64 connections, 100,000 accounts and pets',
  why: '',
  workload: 'ownPet',
  instances: 1,
  accounts: 100_000,
  connections: 64,
};
/** The usual run, runs that differ from it in one value, and a run of creations. */
const RUNS: readonly Run[] = [
  USUAL,
  {
    ...USUAL,
    title: '2 instances',
    why: 'smaller batches',
    instances: 2,
  },
  {
    ...USUAL,
    title: '4 instances',
    why: 'smaller batches',
    instances: 4,
  },
  {
    ...USUAL,
    title: '1 account and pet',
    why: 'key and pet are cached',
    accounts: 1,
  },
  {
    ...USUAL,
    title: '1,000,000 accounts and pets',
    why: 'larger indexes',
    accounts: 1_000_000,
  },
  {
    ...USUAL,
    title: '1 connection',
    why: 'no batches; each request wakes every process',
    connections: 1,
  },
  {
    ...USUAL,
    title: '512 connections',
    why: 'more requests share a batch',
    connections: 512,
  },
  {
    ...USUAL,
    title: 'Redis Cluster',
    why: 'requests of different accounts cannot share a script call',
    isCluster: true,
  },
  {
    ...USUAL,
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

await runInLab(async (lab) => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const pace = values.quick ? QUICK_PACE : PACE;
  const runs = values.quick ? RUNS.filter(({ accounts }) => accounts < 1_000_000) : RUNS;
  const figures: Figures[] = [];
  for (const [accounts, onStore] of Map.groupBy(runs, (run) => run.accounts)) {
    console.error(`Creating a store with ${accounts} accounts and pets`);
    const url = await newStore(lab, accounts);
    const serversOf = ({ instances, isCluster }: Run) => `${instances} ${isCluster}`;
    for (const onServers of Map.groupBy(onStore, serversOf).values()) {
      figures.push(...(await measureRuns(lab, url, onServers, pace)));
    }
  }
  figures.sort((a, b) => RUNS.indexOf(a.run) - RUNS.indexOf(b.run));
  const markdown = growthToMarkdown(figures, conditions(pace, await versionsOf(lab)));
  console.log(markdown);
  if (values['write-docs']) writeResults('scaling.md', markdown);
});
