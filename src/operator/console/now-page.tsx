import { useMemo } from 'preact/hooks';
import type { History, Sample } from './api.ts';
import { Chart, type Series } from './chart.tsx';
import { useNow } from './clock.ts';
import { OutcomeChart } from './day-chart.tsx';
import { formatMilliseconds, formatNumber, formatRate, formatUptime, plural } from './format.ts';
import { useSession } from './session.ts';
import { Loaded } from './states.tsx';
import { Tile } from './tile.tsx';
import { useLive } from './use-live.ts';
import { useQuery } from './use-query.ts';

const REFRESH_MS = 60_000;
const CLASSES = [
  { name: '2xx', colour: 'good' },
  { name: '3xx', colour: 'neutral' },
  { name: '4xx', colour: 'warning' },
  { name: '5xx', colour: 'bad' },
] as const;

export function NowPage() {
  const history = useQuery<History>('history?days=30', REFRESH_MS);
  const { instances } = useSession();
  return (
    <>
      <div class="head">
        <h1>Now</h1>
        {instances > 1 && <p class="quiet">This instance of {instances}</p>}
      </div>
      <Tiles />
      <HourCharts />
      <section>
        <h2>Last 30 days{instances > 1 && ', all instances'}</h2>
        <Loaded query={history}>{({ days }) => <OutcomeChart days={days} />}</Loaded>
      </section>
    </>
  );
}

const RECENT_SECONDS = 10;

function Tiles() {
  const { samples, connection } = useLive();
  const { version, startedAt, store, limiter } = useSession();
  const nowMs = useNow(1_000);
  // Without a connection, nobody knows how the service is.
  const latest = connection === 'lost' ? undefined : samples.at(-1);
  const recent = samples.slice(-RECENT_SECONDS);
  const perSecond = (count: (sample: Sample) => number) =>
    sum(recent, count) / (recent.length || 1);
  const refusedInHour = sum(samples, refusals);
  const errorsInHour = sum(samples, serverErrors);
  const percentile = (name: 'p50' | 'p95' | 'p99') =>
    recent.reduce<number | null>((worst, sample) => highest(worst, sample[name]), null);

  return (
    <dl class="tiles five">
      <Tile label="Requests" value={formatRate(perSecond(requests))} unit="/s">
        {formatNumber(sum(samples, requests))} in the last hour
      </Tile>
      <div class="tile wide">
        <dt>Latency</dt>
        <dd class="percentiles">
          {(['p50', 'p95', 'p99'] as const).map((name) => (
            <span key={name}>
              <span class="quiet">{name}</span>
              <b class="value">{formatMilliseconds(percentile(name))}</b>
              <span class="unit">ms</span>
            </span>
          ))}
        </dd>
        <dd class="note">The worst of the last {RECENT_SECONDS} seconds</dd>
      </div>
      <Tile
        label="Refused"
        value={formatRate(perSecond(refusals))}
        unit="/s"
        tone={perSecond(refusals) > 0 ? 'warning' : undefined}
      >
        {formatNumber(refusedInHour)} in the last hour
      </Tile>
      <Tile
        label="Server errors"
        value={formatRate(perSecond(serverErrors))}
        unit="/s"
        tone={perSecond(serverErrors) > 0 ? 'bad' : undefined}
      >
        {formatNumber(errorsInHour)} in the last hour
      </Tile>
      <Tile label="In flight" value={latest === undefined ? '–' : formatNumber(latest.inFlight)} />
      <Tile label="Store" isWide {...storeState(latest)}>
        {store}
      </Tile>
      <Tile label="Limiter" {...limiterState(latest)}>
        {limiter}
      </Tile>
      <Tile
        label="Uptime"
        value={latest === undefined ? '–' : formatUptime((nowMs - Date.parse(startedAt)) / 1000)}
      >
        Version {version}
      </Tile>
    </dl>
  );
}

function storeState(sample: Sample | undefined) {
  if (sample === undefined) return { value: '–' };
  if (!sample.store.alive) return { value: 'Down', tone: 'bad' } as const;
  return sample.store.ready
    ? ({ value: 'Ready', tone: 'good' } as const)
    : ({ value: 'Not ready', tone: 'warning' } as const);
}

function limiterState(sample: Sample | undefined) {
  if (sample === undefined) return { value: '–' };
  return sample.redisAway
    ? ({ value: 'Redis is away', tone: 'bad' } as const)
    : ({ value: 'Working', tone: 'good' } as const);
}

const BUCKET_SECONDS = 10;
const HOUR_SECONDS = 3_600;

function HourCharts() {
  const { samples } = useLive();
  const { times, range, requestSeries, latencySeries, refusalSeries } = useMemo(
    () => chartsOf(samples),
    [samples],
  );
  const last = (series: Series | undefined) => series?.values.at(-1) ?? 0;
  const total = requestSeries.reduce((all, series) => all + last(series), 0);
  return (
    <div class="charts">
      <div class="panel whole">
        <Chart
          title="Requests"
          summary={`The last hour. Now ${formatRate(total)} requests a second.`}
          kind="areas"
          unit="per second"
          format={formatRate}
          empty="No requests in the last hour"
          times={times}
          range={range}
          series={requestSeries}
        />
      </div>
      <div class="panel">
        <Chart
          title="Latency"
          summary={`The last hour. Now ${formatMilliseconds(latencySeries[2]?.values.at(-1))} milliseconds for the slowest 1 %.`}
          kind="lines"
          unit="ms"
          format={formatMilliseconds}
          empty="No requests in the last hour"
          times={times}
          range={range}
          series={latencySeries}
        />
      </div>
      <div class="panel">
        <Chart
          title="Refusals"
          summary={`The last hour. ${plural(sum(samples, refusals), 'request')} refused.`}
          kind="areas"
          unit="per second"
          format={formatRate}
          empty="Nothing refused in the last hour"
          times={times}
          range={range}
          series={refusalSeries}
        />
      </div>
    </div>
  );
}

/** Averages over ten seconds: a point for each second would be a blur. */
function chartsOf(samples: readonly Sample[]) {
  const buckets = new Map<number, Sample[]>();
  for (const sample of samples) {
    const seconds = Date.parse(sample.at) / 1000;
    const start = Math.floor(seconds / BUCKET_SECONDS) * BUCKET_SECONDS;
    const bucket = buckets.get(start);
    if (bucket === undefined) buckets.set(start, [sample]);
    else bucket.push(sample);
  }
  // The last one is not complete yet, and its average would jump.
  const whole = [...buckets].slice(0, Math.max(1, buckets.size - 1));
  const times = whole.map(([start]) => start);
  const groups = whole.map(([, group]) => group);
  const end = times.at(-1) ?? 0;
  const rates = (count: (sample: Sample) => number) =>
    groups.map((group) => sum(group, count) / group.length);
  const worst = (name: 'p50' | 'p95' | 'p99') =>
    groups.map((group) =>
      group.reduce<number | null>((most, sample) => highest(most, sample[name]), null),
    );
  return {
    times,
    range: [end - HOUR_SECONDS, end] as const,
    requestSeries: CLASSES.map(({ name, colour }) => ({
      label: name,
      colour,
      values: rates(({ byClass }) => byClass[name] ?? 0),
    })).filter(({ label, values }) => label !== '3xx' || values.some((value) => value > 0)),
    latencySeries: [
      { label: 'p50', colour: 'good', values: worst('p50') },
      { label: 'p95', colour: 'warning', values: worst('p95') },
      { label: 'p99', colour: 'bad', values: worst('p99') },
    ] satisfies Series[],
    refusalSeries: [
      { label: 'minute', colour: 'warning', values: rates(({ refused }) => refused.minute) },
      { label: 'day', colour: 'neutral', values: rates(({ refused }) => refused.day) },
      { label: 'ban', colour: 'bad', values: rates(({ refused }) => refused.ban) },
    ] satisfies Series[],
  };
}

function requests({ byClass }: Sample): number {
  return Object.values(byClass).reduce((total, count) => total + count, 0);
}

function refusals({ refused }: Sample): number {
  return refused.minute + refused.day + refused.ban;
}

function serverErrors({ byClass }: Sample): number {
  return byClass['5xx'] ?? 0;
}

function sum(samples: readonly Sample[], count: (sample: Sample) => number): number {
  return samples.reduce((total, sample) => total + count(sample), 0);
}

function highest(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.max(left, right);
}
