import { parseArgs } from 'node:util';
import { type Figures, measureRuns, newStore, type Run, versionsOf } from './measure/deployment.ts';
import { runInLab } from './measure/lab.ts';
import { growthToMarkdown } from './report/growth.ts';
import { conditions } from './report/markdown.ts';
import { writeResults } from './report/page.ts';

/**
 * Measures how the CPU time of a request grows with instances, accounts and connections, and computes
 * what more requests need.
 */

const USUAL: Run = {
  title: 'getPet: 1 instance with 64 connections, 100,000 accounts and pets',
  workload: 'ownPet',
  instances: 1,
  accounts: 100_000,
  connections: 64,
};
/** The usual run, runs that differ from it in one value, and creations. */
const RUNS: readonly Run[] = [
  USUAL,
  { ...USUAL, title: '2 instances', instances: 2 },
  { ...USUAL, title: '4 instances', instances: 4 },
  { ...USUAL, title: '1 account and pet', accounts: 1 },
  { ...USUAL, title: '1,000,000 accounts and pets', accounts: 1_000_000 },
  { ...USUAL, title: '1 connection', connections: 1 },
  { ...USUAL, title: '512 connections', connections: 512 },
  { ...USUAL, title: 'createPet by 1 account', accounts: 1, workload: 'createPet' },
];
const PACE = { windows: 10, windowSeconds: 2, warmUpSeconds: 10 };
const QUICK_PACE = { windows: 2, windowSeconds: 1, warmUpSeconds: 1 };

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
    console.error(`Making a store with ${accounts} accounts and pets`);
    const url = await newStore(lab, accounts);
    for (const [instances, together] of Map.groupBy(onStore, (run) => run.instances)) {
      console.error(`Measuring ${together.length} loads on ${instances} instances`);
      figures.push(...(await measureRuns(lab, url, together, pace)));
    }
  }
  const order = ({ title }: Figures) => RUNS.findIndex((run) => run.title === title);
  figures.sort((a, b) => order(a) - order(b));
  const markdown = growthToMarkdown(figures, conditions(pace, await versionsOf(lab)));
  console.log(markdown);
  if (values['write-docs']) writeResults('scaling.md', markdown);
});
