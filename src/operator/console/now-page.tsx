import { useMemo } from 'preact/hooks';
import { requestsOf } from '../../domain/operator/history.ts';
import { type History, type Live, type RefusedAccount, type Sample, useSession } from './api.ts';
import { Chart, type ChartProps, OutcomeChart } from './chart.tsx';
import { SAMPLE_SECONDS } from './console-api.ts';
import { formatDuration, formatMeasure, formatNumber, now } from './format.tsx';
import { Loaded } from './loaded.tsx';
import { AccountLink, Empty, Tile, type Tone } from './marks.tsx';
import { type Column, figure, Table } from './table.tsx';

const REFUSED_COLUMNS: readonly Column<RefusedAccount>[] = [
  { title: 'Account', kind: 'name', cell: ({ account }) => <AccountLink name={account} /> },
  figure('Requests', requestsOf),
  figure('Refused by minute', ({ refusedByMinute }) => refusedByMinute),
  figure('By day', ({ refusedByDay }) => refusedByDay),
  figure('By ban', ({ refusedByBan }) => refusedByBan),
];

export function NowPage({ live }: { live: Live }) {
  const { instances } = useSession();
  return (
    <>
      <div class="head">
        <h1>Now</h1>
        {instances > 1 && <p class="quiet">This instance of {instances}</p>}
      </div>
      <Tiles {...live} />
      <HourCharts samples={live.samples} />
      <Loaded<History> path="history">
        {({ refused, days }) => (
          <>
            <section>
              <h2>Refused most in this hour and the last{instances > 1 && ', all instances'}</h2>
              <Table
                name="refused"
                columns={REFUSED_COLUMNS}
                rows={refused}
                keyOf={({ account }) => account}
                empty={<Empty title="No account was refused" />}
              />
            </section>
            <section>
              <h2>Last 30 days{instances > 1 && ', all instances'}</h2>
              <OutcomeChart days={days} />
            </section>
          </>
        )}
      </Loaded>
    </>
  );
}

function Tiles({ samples, isLost }: Live) {
  const { version, startedAt, store, limiter } = useSession();
  // Without a connection, nobody knows how the service is.
  const latest = isLost ? undefined : samples.at(-1);
  const [storeTone, storeState] = stateOfStore(latest);
  const [limiterTone, limiterState] = stateOfLimiter(latest);
  const rateTile = (label: string, count: Count, tone?: Tone) => {
    const requests = latest && count(latest);
    const inHour = samples.reduce((total, sample) => total + count(sample), 0);
    return (
      <Tile
        label={label}
        tone={requests ? tone : undefined}
        value={formatMeasure(requests && requests / SAMPLE_SECONDS)}
        unit="/s"
        note={`${formatNumber(inHour)} in the last hour`}
      />
    );
  };

  return (
    <dl class="tiles">
      {rateTile('Requests', requests)}
      {(['p50', 'p95', 'p99'] as const).map((name) => (
        <Tile
          key={name}
          label={`Latency ${name}`}
          value={formatMeasure(latest?.[name])}
          unit="ms"
          note={`in the last ${SAMPLE_SECONDS} seconds`}
        />
      ))}
      {rateTile('Refused', refusals, 'warning')}
      {rateTile('Server errors', ({ byClass }) => byClass['5xx'], 'bad')}
      <Tile label="In flight" value={formatMeasure(latest?.inFlight)} />
      <Tile label="Store" tone={storeTone} value={storeState} note={store} />
      <Tile label="Limiter" tone={limiterTone} value={limiterState} note={limiter} />
      <Tile
        label="Uptime"
        value={latest && formatDuration((now() - Date.parse(startedAt)) / 1000)}
        note={`Version ${version}`}
      />
    </dl>
  );
}

type State = readonly [tone?: Tone, text?: string];

function stateOfStore(sample: Sample | undefined): State {
  if (sample?.isReady === undefined) return [];
  return sample.isReady ? ['good', 'Ready'] : ['bad', 'Not ready'];
}

function stateOfLimiter(sample: Sample | undefined): State {
  if (sample === undefined) return [];
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

function chartsOf(samples: readonly Sample[]): ChartProps[] {
  const times = samples.map(({ at }) => Date.parse(at) / 1000);
  const series = (label: string, tone: Tone, value: (sample: Sample) => number | null) => ({
    label,
    tone,
    values: samples.map(value),
  });
  const rate = (label: string, tone: Tone, count: Count) =>
    series(label, tone, (sample) => count(sample) / SAMPLE_SECONDS);
  return [
    {
      title: 'Requests',
      kind: 'areas',
      unit: 'per second',
      times,
      series: [
        rate('2xx', 'good', ({ byClass }) => byClass['2xx']),
        rate('3xx', 'neutral', ({ byClass }) => byClass['3xx']),
        rate('4xx', 'warning', ({ byClass }) => byClass['4xx']),
        rate('5xx', 'bad', ({ byClass }) => byClass['5xx']),
      ],
    },
    {
      title: 'Latency',
      kind: 'lines',
      unit: 'ms',
      times,
      series: [
        series('p50', 'good', ({ p50 }) => p50),
        series('p95', 'warning', ({ p95 }) => p95),
        series('p99', 'bad', ({ p99 }) => p99),
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
  return byClass['2xx'] + byClass['3xx'] + byClass['4xx'] + byClass['5xx'];
}

function refusals({ refused }: Sample): number {
  return refused.minute + refused.day + refused.ban;
}
