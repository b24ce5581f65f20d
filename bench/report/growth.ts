import { type ByPart, byPart, type Figures, PARTS } from '../measure/deployment.ts';
import { median, spread } from '../measure/statistics.ts';
import { short } from './markdown.ts';

const MEASURED = `
| CPU time, measured | instances µs | PostgreSQL µs | Redis µs |
|---|---:|---:|---:|`.trim();

const NEEDED = `
| requests per second | cores: instances | PostgreSQL | Redis | full first, and what to do |
|---|---:|---:|---:|---|`.trim();

const RATES = [1_000, 10_000, 100_000, 1_000_000];
/** The cores that one of a part can use. It is full when they are this busy. */
const CORES: ByPart<number> = { instances: 1, postgres: 64, redis: 1 };
const BUSY = 0.7;
const NAMES: ByPart<string> = {
  instances: 'an instance',
  postgres: 'PostgreSQL',
  redis: 'Redis',
};
/** Shorter times do not matter, and vary most. */
const SHORTEST_US = 10;

/** Both tables: the CPU time of each run, and the cores that rates need by the first run. */
export function growthToMarkdown(figures: readonly Figures[], heading: string): string {
  const [usual] = figures as [Figures];
  const times = figures.flatMap(({ cpuUs }) => PARTS.map((part) => cpuUs[part]));
  const spreads = times.filter((each) => median(each) >= SHORTEST_US).map(spread);
  const largest = `Largest spread: ±${Math.round(100 * Math.max(...spreads))} %.`;
  const measured = [MEASURED, ...figures.map(toRow)].join('\n');
  const needed = [NEEDED, ...RATES.map((rate) => toNeeds(rate, usual))].join('\n');
  return [`${heading} ${largest}`, measured, needed].join('\n\n');
}

function toRow({ title, cpuUs }: Figures): string {
  const cells = PARTS.map((part) => short(median(cpuUs[part])));
  return `| ${[title, ...cells].join(' | ')} |`;
}

/** A rate that the load reached is measured. */
function toNeeds(rate: number, { cpuUs, requestsPerSecond }: Figures): string {
  const cores = byPart((part) => (rate * median(cpuUs[part])) / 1_000_000);
  const needed = byPart((part) => Math.ceil(cores[part] / (BUSY * CORES[part])));
  const advice: ByPart<string> = {
    instances: `run ${needed.instances + 1}, one spare`,
    redis: `a Cluster by account, ${needed.redis} masters`,
    postgres: `${needed.postgres} stores, divided by account`,
  };
  // Instances are the easiest to add, so they come last.
  const first = (['postgres', 'redis'] as const).find((part) => needed[part] > 1) ?? 'instances';
  const fullAt = (rate * BUSY * CORES[first]) / cores[first];
  const cells = [
    `${count(rate)}, ${rate <= median(requestsPerSecond) ? 'measured' : 'computed'}`,
    ...PARTS.map((part) => short(cores[part])),
    `${NAMES[first]}, at ${count(fullAt)}: ${advice[first]}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Two digits, like 12,000. */
function count(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}
