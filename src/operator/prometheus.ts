type Labels = Readonly<Record<string, string | number>>;

interface MetricSample {
  /** Appended to the name of the metric, for the parts of a histogram. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** One number, or several samples. A value that is not known yet has no sample. */
type Value = number | boolean | undefined | readonly MetricSample[];

/** The lines of one metric. Label values are our own names, so nothing needs escaping. */
function metric(type: string, name: string, help: string, value: Value = []): string {
  const samples = typeof value === 'object' ? value : [{ value: Number(value) }];
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

export const counter = metric.bind(null, 'counter');
export const gauge = metric.bind(null, 'gauge');
export const histogram = metric.bind(null, 'histogram');

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

export class Histogram {
  /** Values in each bucket. The last bucket has no upper bound. */
  readonly counts: number[];
  #sum = 0;

  constructor(
    /** Upper bounds of the buckets, in ascending order. */
    private readonly bounds: readonly number[],
  ) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Infinity)) bucket++;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** A bucket of Prometheus counts every value up to its bound, so the counts are added up on the way. */
  samples(labels: Labels = {}): MetricSample[] {
    let count = 0;
    const buckets = this.counts.map((inBucket, index) => {
      count += inBucket;
      const le = this.bounds[index] ?? '+Inf';
      return { suffix: '_bucket', labels: { le, ...labels }, value: count };
    });
    return [
      ...buckets,
      { suffix: '_sum', labels, value: this.#sum },
      { suffix: '_count', labels, value: count },
    ];
  }
}
