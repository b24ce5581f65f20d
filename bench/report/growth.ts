import { type Figures, PARTS, type Part, spreadOf } from '../measure/deployment.ts';
import { BATCH, type ScriptCost } from '../measure/script-cost.ts';
import { median, percent, short } from '../measure/statistics.ts';
import { table } from './page.ts';

const RATES = [1_000, 10_000, 100_000, 1_000_000];
/** A run is explained only if some part takes more or less CPU time than in the first run, by more than this share. */
const FLAT = 0.2;
/** A server is full when its cores are busy for this share of the time. */
const BUSY = 0.7;

/** How many cores one server of each part can use, and the advice to run that many of them. */
const LIMITS = {
  instances: {
    name: 'instance',
    cores: 1,
    advice: (count: number) => `${count + 1} instances`,
  },
  postgres: {
    name: 'PostgreSQL',
    cores: 64,
    advice: (count: number) => `${count} stores`,
  },
  redis: {
    name: 'Redis',
    cores: 1,
    advice: (count: number) => `Redis Cluster of ${count} masters`,
  },
};

/**
 * Writes both tables: the CPU time of each run, and the cores that higher rates need. The second table is computed
 * from the first run, or from the run with a cluster if one Redis server is not enough.
 */
export function growthToMarkdown(figures: readonly Figures[], heading: string): string {
  const [baseline] = figures as [Figures];
  const cluster = figures.find(({ run }) => run.isCluster) ?? baseline;
  const measured = table(
    [
      'CPU µs for each request',
      'instances',
      'PostgreSQL',
      'Redis',
      'why it differs from the first row',
    ],
    figures.map(({ run, cpuUs }) => [
      run.title,
      ...PARTS.map((part) => short(median(cpuUs[part]))),
      isFlat(cpuUs, baseline.cpuUs) ? '' : run.why,
    ]),
  );
  const needed = table(
    ['requests a second', 'cores: instances', 'PostgreSQL', 'Redis', 'bottleneck', 'what to do'],
    RATES.map((rate) => toNeeds(rate, rate > fullAt('redis', baseline) ? cluster : baseline)),
  );
  const largest = Math.max(...figures.map(({ cpuUs }) => spreadOf(cpuUs)));
  return [`${heading} Largest spread: ${percent(largest)}.`, measured, needed].join('\n\n');
}

/** Describes what a request costs Redis, compared with the smallest script that reads and writes the same fields. */
export function scriptToMarkdown(
  { smallest, alone, inBatch }: ScriptCost,
  heading: string,
): string {
  const times = (each: number) => `${(each / smallest).toFixed(2)} ×`;
  const rows = [
    ['the smallest script with the same commands', short(smallest), times(smallest)],
    ['a request that has a script call alone', short(alone), times(alone)],
    [`each of ${BATCH} requests that share a script call`, short(inBatch), times(inBatch)],
  ];
  return `${heading}\n\n${table(['Script', 'µs in Redis', 'ratio'], rows)}`;
}

function isFlat(cpuUs: Figures['cpuUs'], baseline: Figures['cpuUs']): boolean {
  const growth = (part: Part) => median(cpuUs[part]) / median(baseline[part]) - 1;
  return PARTS.every((part) => Math.abs(growth(part)) <= FLAT);
}

/** The requests a second at which one server of a part is full. */
function fullAt(part: Part, { cpuUs }: Figures): number {
  return (1_000_000 * BUSY * LIMITS[part].cores) / median(cpuUs[part]);
}

/** Describes what a rate of requests needs. A rate is called measured if the load reached it. */
function toNeeds(rate: number, figures: Figures): string[] {
  const { cpuUs, requestsPerSecond } = figures;
  const needs = PARTS.map((part) => {
    const { name, advice } = LIMITS[part];
    const most = fullAt(part, figures);
    return { part, name, most, advice: advice(Math.ceil(rate / most)) };
  }).toSorted((a, b) => a.most - b.most);
  const full = needs.filter(({ most }) => most < rate);
  const toDo = needs.filter((need) => need.part === 'instances' || full.includes(need));
  return [
    `${count(rate)}, ${rate <= requestsPerSecond ? 'measured' : 'computed'}`,
    ...PARTS.map((part) => short((rate * median(cpuUs[part])) / 1_000_000)),
    full.map(({ name, most }) => `${name} at ${count(most)}`).join(', ') || 'nothing',
    toDo.map(({ advice }) => advice).join(', '),
  ];
}

/** Formats a number that is rounded to two digits, such as 12,000. */
function count(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}
