import { useMemo } from 'preact/hooks';
import {
  type History,
  type Live,
  type RefusedAccount,
  type Sample,
  useQuery,
  useSession,
} from './api.ts';
import { Chart, type ChartProps, OutcomeChart } from './chart.tsx';
import { formatDuration, formatMeasure, formatNumber, now } from './format.tsx';
import { AccountLink, Empty, Figure, Loaded, Tile, type Tone } from './marks.tsx';
import { type Column, figure, Table } from './table.tsx';

const HISTORY_REFRESH_MS = 60_000;
const REFUSED_REFRESH_MS = 30_000;

const REFUSED_COLUMNS: readonly Column<RefusedAccount>[] = [
  { title: 'Account', kind: 'name', cell: ({ account }) => <AccountLink name={account} /> },
  figure('Requests', ({ requests }) => requests),
  figure('Refused by minute', ({ minute }) => minute),
  figure('By day', ({ day }) => day),
  figure('By ban', ({ ban }) => ban),
];

export function NowPage({ live }: { live: Live }) {
  const history = useQuery<History>('history', HISTORY_REFRESH_MS);
  const refused = useQuery<readonly RefusedAccount[]>('refused', REFUSED_REFRESH_MS);
  const { instances } = useSession();
  return (
    <>
      <div class="head">
        <h1>Now</h1>
        {instances > 1 && <p class="quiet">This instance of {instances}</p>}
      </div>
      <Tiles {...live} />
      <HourCharts samples={live.samples} />
      <section>
        <h2>Refused most in this hour and the last{instances > 1 && ', all instances'}</h2>
        <Loaded query={refused}>
          {(rows) => (
            <Table
              name="refused"
              columns={REFUSED_COLUMNS}
              rows={rows}
              keyOf={({ account }) => account}
              empty={<Empty title="No account was refused" />}
            />
          )}
        </Loaded>
      </section>
      <section>
        <h2>Last 30 days{instances > 1 && ', all instances'}</h2>
        <Loaded query={history}>{(days) => <OutcomeChart days={days} />}</Loaded>
      </section>
    </>
  );
}

const HOUR_SECONDS = 3_600;
const RECENT_SECONDS = 10;
const PERCENTILES = ['p50', 'p95', 'p99'] as const;

function Tiles({ samples, connection }: Live) {
  const { version, startedAt, store, limiter } = useSession();
  // Without a connection, nobody knows how the service is.
  const latest = connection === 'lost' ? undefined : samples.at(-1);
  const recent = samples.slice(-RECENT_SECONDS);
  const [storeTone, storeState] = stateOfStore(latest);
  const [limiterTone, limiterState] = stateOfLimiter(latest);
  const uptimeSeconds = (now() - Date.parse(startedAt)) / 1000;
  const period =
    uptimeSeconds < HOUR_SECONDS ? `since ${startedAt.slice(11, 16)} UTC` : 'in the last hour';
  const rateTile = (label: string, count: Count, tone?: Tone) => {
    const perSecond = mean(recent, count);
    return (
      <Tile
        label={label}
        tone={perSecond > 0 ? tone : undefined}
        value={formatMeasure(perSecond)}
        unit="/s"
        note={`${formatNumber(sum(samples, count))} ${period}`}
      />
    );
  };

  return (
    <dl class="tiles">
      {rateTile('Requests', requests)}
      <Tile label="Latency" note={`The worst of the last ${RECENT_SECONDS} seconds`}>
        {PERCENTILES.map((name) => (
          <span key={name} class="percentile">
            <span class="quiet">{name} </span>
            <Figure value={formatMeasure(worst(recent, name))} unit="ms" />
          </span>
        ))}
      </Tile>
      {rateTile('Refused', refusals, 'warning')}
      {rateTile('Server errors', serverErrors, 'bad')}
      <Tile label="In flight" value={formatMeasure(latest?.inFlight)} />
      <Tile label="Store" tone={storeTone} value={storeState} note={store} />
      <Tile label="Limiter" tone={limiterTone} value={limiterState} note={limiter} />
      <Tile
        label="Uptime"
        value={latest && formatDuration(uptimeSeconds)}
        note={`Version ${version}`}
      />
    </dl>
  );
}

type State = readonly [tone: Tone | undefined, text: string];

const UNKNOWN: State = [undefined, '–'];

function stateOfStore(sample: Sample | undefined): State {
  if (sample?.isReady === undefined) return UNKNOWN;
  return sample.isReady ? ['good', 'Ready'] : ['bad', 'Not ready'];
}

function stateOfLimiter(sample: Sample | undefined): State {
  if (sample === undefined) return UNKNOWN;
  return sample.redisAway ? ['bad', 'Redis is away'] : ['good', 'Working'];
}

function HourCharts({ samples }: Pick<Live, 'samples'>) {
  const charts = useMemo(() => chartsOf(samples), [samples]);
  return (
    <div class="charts">
      {charts.map((chart) => (
        <Chart key={chart.title} {...chart} />
      ))}
    </div>
  );
}

const BUCKET_SECONDS = 10;

/** Averages over ten seconds: a point for each second would be a blur. */
function chartsOf(samples: readonly Sample[]): ChartProps[] {
  const buckets = Map.groupBy(
    samples,
    ({ at }) => Math.floor(Date.parse(at) / 1000 / BUCKET_SECONDS) * BUCKET_SECONDS,
  );
  // The last one is not complete yet, and its average would jump.
  const complete = [...buckets].slice(0, Math.max(1, buckets.size - 1));
  const times = complete.map(([start]) => start);
  const series = (label: string, tone: Tone, value: (group: Sample[]) => number | null) => ({
    label,
    tone,
    values: complete.map(([, group]) => value(group)),
  });
  const rate = (label: string, tone: Tone, count: Count) =>
    series(label, tone, (group) => mean(group, count));
  return [
    {
      title: 'Requests',
      kind: 'areas',
      unit: 'per second',
      times,
      series: [
        rate('2xx', 'good', ({ byClass }) => byClass['2xx'] ?? 0),
        rate('3xx', 'neutral', ({ byClass }) => byClass['3xx'] ?? 0),
        rate('4xx', 'warning', ({ byClass }) => byClass['4xx'] ?? 0),
        rate('5xx', 'bad', serverErrors),
      ],
    },
    {
      title: 'Latency',
      kind: 'lines',
      unit: 'ms',
      times,
      series: [
        series('p50', 'good', (group) => worst(group, 'p50')),
        series('p95', 'warning', (group) => worst(group, 'p95')),
        series('p99', 'bad', (group) => worst(group, 'p99')),
      ],
    },
    {
      title: 'Refusals',
      kind: 'areas',
      unit: 'per second',
      times,
      series: [
        rate('minute', 'warning', ({ refused }) => refused.minute),
        rate('day', 'neutral', ({ refused }) => refused.day),
        rate('ban', 'bad', ({ refused }) => refused.ban),
      ],
    },
  ];
}

type Count = (sample: Sample) => number;

function requests({ byClass }: Sample): number {
  return Object.values(byClass).reduce((total, count) => total + count, 0);
}

function refusals({ refused }: Sample): number {
  return refused.minute + refused.day + refused.ban;
}

function serverErrors({ byClass }: Sample): number {
  return byClass['5xx'] ?? 0;
}

function sum(samples: readonly Sample[], count: Count): number {
  return samples.reduce((total, sample) => total + count(sample), 0);
}

/** For each second. */
function mean(samples: readonly Sample[], count: Count): number {
  return sum(samples, count) / (samples.length || 1);
}

/** Null if there was no request. */
function worst(samples: readonly Sample[], name: (typeof PERCENTILES)[number]): number | null {
  const known = samples.map((sample) => sample[name]).filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
