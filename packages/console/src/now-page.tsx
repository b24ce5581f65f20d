import { Chart, OutcomeChart } from './chart.tsx';
import {
  formatDateTime,
  formatDuration,
  formatElapsed,
  formatMeasure,
  formatNumber,
  now,
} from './format.tsx';
import { Loaded } from './loaded.tsx';
import { Tile, type Tone } from './marks.tsx';
import {
  type History,
  type LastBackup,
  type LiveSamples,
  type RefusedAccount,
  requestsOf,
  SAMPLE_SECONDS,
  type Sample,
  useSession,
} from './service.ts';
import { ACCOUNT_COLUMN, type Column, figure, Table } from './table.tsx';

const REFUSED_COLUMNS: readonly Column<RefusedAccount>[] = [
  ACCOUNT_COLUMN,
  figure('Requests', requestsOf),
  figure('Refused by minute', ({ refusedByMinute }) => refusedByMinute),
  figure('By day', ({ refusedByDay }) => refusedByDay),
  figure('By ban', ({ refusedByBan }) => refusedByBan),
];

export function NowPage({ live }: { live: LiveSamples }) {
  const { instances } = useSession();
  const since = live.samples[0]?.at;
  return (
    <>
      <div class="head">
        <h1>Now</h1>
        <p class="quiet">
          {instances > 1 && `This instance of ${instances}. `}
          {since && `Live data since ${formatDateTime(since)}`}
        </p>
      </div>
      <Tiles {...live} />
      <HourCharts samples={live.samples} />
      <Loaded<History> path="history">
        {({ refused, days }) => (
          <>
            <section>
              <h2>Refused most in this hour and the last{instances > 1 && ', all instances'}</h2>
              <Table
                columns={REFUSED_COLUMNS}
                rows={refused}
                keyOf={({ account }) => account ?? ''}
                emptyTitle="No refusals"
              >
                All accounts kept to their limits.
              </Table>
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

function Tiles({ samples, isLost }: LiveSamples) {
  const { version, startedAt, store, limiter } = useSession();
  // Without a connection, the last sample says nothing about the present.
  const latest = isLost ? undefined : samples.at(-1);
  const rateTile = (label: string, count: (sample: Sample) => number, tone?: Tone) => {
    const requests = latest && count(latest);
    const inHour = samples.reduce((sum, sample) => sum + count(sample), 0);
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
      {rateTile('Requests', ({ byClass }) => total(byClass))}
      {PERCENTILES.map(([name]) => (
        <Tile
          key={name}
          label={`Latency ${name}`}
          value={formatElapsed(latest?.[name])}
          note={`in the last ${SAMPLE_SECONDS} seconds`}
        />
      ))}
      {rateTile('Refused', ({ refused }) => total(refused), 'warning')}
      {rateTile('Server errors', ({ byClass }) => byClass['5xx'], 'bad')}
      <Tile label="In flight" value={formatMeasure(latest?.inFlight)} />
      <Tile label="Store" note={store} {...stateOf(latest?.isReady, 'Ready', 'Not ready')} />
      <Tile
        label="Limiter"
        note={limiter}
        {...stateOf(latest && !latest.redisAway, 'Working', 'Redis is away')}
      />
      {latest?.lastBackup && <BackupTile {...latest.lastBackup} />}
      <Tile
        label="Uptime"
        value={latest && formatDuration((now() - Date.parse(startedAt)) / 1000)}
        note={`Version ${version}`}
      />
    </dl>
  );
}

const BACKUP_DUE_HOURS = 26;

function BackupTile({ atMs, bytes }: LastBackup) {
  if (atMs === 0) return <Tile label="Last backup" value="None" />;
  const seconds = (now() - atMs) / 1000;
  return (
    <Tile
      label="Last backup"
      tone={seconds < BACKUP_DUE_HOURS * 3_600 ? 'good' : 'bad'}
      value={formatDuration(seconds)}
      unit="ago"
      note={`${formatMeasure(bytes / 1e6)} MB`}
    />
  );
}

/** The color and the word for a part that works or does not. Undefined if that is not known. */
function stateOf(works: boolean | undefined, yes: string, no: string) {
  if (works === undefined) return {};
  return works ? ({ tone: 'good', value: yes } as const) : ({ tone: 'bad', value: no } as const);
}

/** The series of each chart, with their colors. */
const CLASSES = [
  ['2xx', 'good'],
  ['3xx', 'neutral'],
  ['4xx', 'warning'],
  ['5xx', 'bad'],
] as const;
const PERCENTILES = [
  ['p50', 'good'],
  ['p95', 'warning'],
  ['p99', 'bad'],
] as const;
const REFUSALS = [
  ['minute', 'warning'],
  ['day', 'neutral'],
  ['ban', 'bad'],
] as const;

function HourCharts({ samples }: Pick<LiveSamples, 'samples'>) {
  const times = samples.map(({ at }) => Date.parse(at) / 1000);
  const seriesOf = <Label extends string>(
    tones: readonly (readonly [Label, Tone])[],
    valueIn: (sample: Sample, label: Label) => number | null,
  ) =>
    tones.map(([label, tone]) => ({
      label,
      tone,
      values: samples.map((sample) => valueIn(sample, label)),
    }));
  return (
    <div class="charts">
      <Chart
        title="Requests"
        kind="areas"
        unit="per second"
        times={times}
        series={seriesOf(CLASSES, ({ byClass }, label) => byClass[label] / SAMPLE_SECONDS)}
      />
      <Chart
        title="Latency"
        kind="lines"
        unit="ms"
        times={times}
        series={seriesOf(PERCENTILES, (sample, label) => sample[label])}
      />
      <Chart
        title="Refusals"
        kind="areas"
        unit="per second"
        times={times}
        series={seriesOf(REFUSALS, ({ refused }, label) => refused[label] / SAMPLE_SECONDS)}
      />
    </div>
  );
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
