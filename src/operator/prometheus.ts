/** The Prometheus text format, version 0.0.4. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface Sample {
  /** Appended to the name of the metric, for the parts of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

export interface Buckets {
  /** Upper bounds of the buckets, in ascending order. */
  readonly bounds: readonly number[];
  /** Values in each bucket. The last bucket has no upper bound. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** The lines of one metric. Labels are our own names and need no escaping. */
export function metric(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  samples: readonly Sample[],
): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(
      ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
    ),
  ];
}

/** The samples of a histogram. A Prometheus bucket counts everything below its bound. */
export function histogramSamples(
  { bounds, counts, sum }: Buckets,
  labels: Readonly<Record<string, string>> = {},
): Sample[] {
  let count = 0;
  const buckets = counts.map((inBucket, index) => {
    count += inBucket;
    return { suffix: '_bucket', labels: { le: bounds[index] ?? '+Inf', ...labels }, value: count };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels, value: sum },
    { suffix: '_count', labels, value: count },
  ];
}

function labelText(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
