/** The Prometheus text format, version 0.0.4. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string | number>>;

interface Sample {
  /** Appended to the name of the metric, for the parts of a histogram. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** The lines of one metric. Labels are our own names and need no escaping. */
export function metric(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

export function counter(name: string, help: string, value: number): string {
  return metric('counter', name, help, [{ value }]);
}

/** Has no sample if the value is unknown. */
export function gauge(name: string, help: string, value: number | boolean | undefined): string {
  return metric('gauge', name, help, value === undefined ? [] : [{ value: Number(value) }]);
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export class Histogram {
  /** Upper bounds of the buckets, in ascending order. */
  readonly #bounds: readonly number[];
  /** Values in each bucket. The last bucket has no upper bound. */
  readonly counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** A Prometheus bucket counts everything below its bound. */
  samples(labels: Labels = {}): Sample[] {
    let count = 0;
    const buckets = this.counts.map((inBucket, index) => {
      count += inBucket;
      const le = this.#bounds[index] ?? '+Inf';
      return { suffix: '_bucket', labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: count },
    ];
  }
}
