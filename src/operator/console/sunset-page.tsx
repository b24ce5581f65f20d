import { useMemo } from 'preact/hooks';
import type { Brownout, Caller, Sunset } from './api.ts';
import type { Series } from './chart.tsx';
import { DayChart, startOf } from './day-chart.tsx';
import { formatDate, formatNumber, formatTime, plural } from './format.ts';
import { Ago, Badge, Countdown, type Tone } from './marks.tsx';
import { linkTo } from './route.ts';
import { Empty, Loaded } from './states.tsx';
import { Tile } from './tile.tsx';
import { useQuery } from './use-query.ts';

const REFRESH_MS = 30_000;

export function SunsetPage() {
  const query = useQuery<Sunset>('sunset', REFRESH_MS);
  return (
    <Loaded query={query} rows={8}>
      {(sunset) => <SunsetView sunset={sunset} />}
    </Loaded>
  );
}

function SunsetView({ sunset }: { sunset: Sunset }) {
  const { operation, removedAt, daysLeft, callers, brownouts } = sunset;
  // The table also has those that stopped, as far back as the history goes.
  const recent = callers.filter(({ lastMonth }) => lastMonth > 0);
  const next = brownouts.find(({ state }) => state === 'active' || state === 'planned');
  return (
    <>
      <div class="head">
        <h1>Sunset of {operation}</h1>
      </div>
      <dl class="tiles">
        <Tile label="Days left" value={formatNumber(daysLeft)}>
          Removed on {formatDate(removedAt)}
        </Tile>
        <Tile
          label="Accounts that still call it"
          value={formatNumber(accountsOf(recent))}
          tone={recent.length > 0 ? 'warning' : 'good'}
        >
          {plural(recent.length, 'key')} in the last month
        </Tile>
        <Tile label="Requests in the last day" value={formatNumber(total(callers, 'lastDay'))}>
          {formatNumber(total(callers, 'lastWeek'))} in the last week
        </Tile>
        <NextBrownout brownout={next} />
      </dl>
      <Trend operation={operation} trend={sunset.trend} />
      <section>
        <h2>Callers</h2>
        {callers.length === 0 ? (
          <Empty title={`Nobody calls ${operation}`}>
            <p>The usage history has no request to it.</p>
          </Empty>
        ) : (
          <CallerTable callers={callers} />
        )}
      </section>
      <section>
        <h2>Brownouts</h2>
        <Brownouts operation={operation} brownouts={brownouts} />
      </section>
    </>
  );
}

function NextBrownout({ brownout }: { brownout: Brownout | undefined }) {
  if (brownout === undefined) {
    return (
      <Tile label="Next brownout" value="None">
        Nothing is planned
      </Tile>
    );
  }
  return brownout.state === 'active' ? (
    <Tile label="Brownout" value="In progress" tone="warning">
      It ends <Ago time={brownout.endsAt} />
    </Tile>
  ) : (
    <Tile label="Next brownout" value="Planned">
      It starts <Ago time={brownout.startsAt} />
    </Tile>
  );
}

function accountsOf(callers: readonly Caller[]): number {
  return new Set(callers.map(({ account }) => account)).size;
}

function total(callers: readonly Caller[], period: 'lastDay' | 'lastWeek'): number {
  return callers.reduce((sum, caller) => sum + caller[period], 0);
}

function Trend({ operation, trend }: Pick<Sunset, 'operation' | 'trend'>) {
  const times = useMemo(() => trend.map(({ day }) => startOf(day)), [trend]);
  const series = useMemo(
    (): Series[] => [
      { label: operation, colour: 'warning', values: trend.map(({ requests }) => requests) },
    ],
    [operation, trend],
  );
  return <DayChart times={times} series={series} operation={operation} />;
}

function CallerTable({ callers }: { callers: readonly Caller[] }) {
  return (
    <table class="list callers">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Key</th>
          <th scope="col" class="end">
            Last day
          </th>
          <th scope="col" class="end">
            Last week
          </th>
          <th scope="col" class="end">
            Last month
          </th>
          <th scope="col">First seen</th>
          <th scope="col">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {callers.map(
          ({ account, key, label, lastDay, lastWeek, lastMonth, firstSeenAt, lastSeenAt }) => (
            <tr key={key}>
              <th scope="row">
                {account === null ? (
                  <span class="quiet">No longer exists</span>
                ) : (
                  <a href={linkTo('accounts', {}, account)}>
                    <bdi>{account}</bdi>
                  </a>
                )}
              </th>
              <td data-label="Key">
                {label === '' ? (
                  `Key\u00a0${key}`
                ) : (
                  <>
                    <bdi>{label}</bdi>
                    {` (key\u00a0${key})`}
                  </>
                )}
              </td>
              <td class="end figures" data-label="Last day">
                {formatNumber(lastDay)}
              </td>
              <td class="end figures" data-label="Last week">
                {formatNumber(lastWeek)}
              </td>
              <td class="end figures" data-label="Last month">
                {formatNumber(lastMonth)}
              </td>
              <td data-label="First seen">
                <Ago time={firstSeenAt} />
              </td>
              <td data-label="Last seen">
                <Ago time={lastSeenAt} />
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

const STATES: Readonly<Record<Brownout['state'], readonly [tone: Tone, text: string]>> = {
  planned: ['neutral', 'Planned'],
  active: ['warning', 'In progress'],
  over: ['neutral', 'Over'],
};

function Brownouts({ operation, brownouts }: Pick<Sunset, 'operation' | 'brownouts'>) {
  if (brownouts.length === 0) {
    return (
      <Empty title="No brownouts">
        <p>
          A brownout is a short outage of {operation}, to find its callers before it is removed.
          They get a 410 that says when it ends.
        </p>
        <p>
          To plan one, set <code>BROWNOUTS</code>, for example to <code>2030-06-01T10:00Z/1h</code>,
          and restart every instance.
        </p>
      </Empty>
    );
  }
  return (
    <>
      <table class="list brownouts">
        <thead>
          <tr>
            <th scope="col">Starts</th>
            <th scope="col">Ends</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {brownouts.map((brownout) => (
            <BrownoutRow key={brownout.startsAt} brownout={brownout} />
          ))}
        </tbody>
      </table>
      <p class="quiet">
        From <code>BROWNOUTS</code> of this instance. A change needs a restart of every instance.
      </p>
    </>
  );
}

function BrownoutRow({ brownout }: { brownout: Brownout }) {
  const { startsAt, endsAt, state } = brownout;
  const [tone, text] = STATES[state];
  return (
    <tr class={state === 'over' ? 'over' : undefined}>
      <th scope="row">{formatTime(startsAt)}</th>
      <td data-label="Ends">{formatTime(endsAt)}</td>
      <td data-label="State">
        <Badge tone={tone}>{text}</Badge>
        {state === 'planned' && (
          <span class="sub">
            <Ago time={startsAt} />
          </span>
        )}
        {state === 'active' && (
          <span class="sub">
            <Countdown until={endsAt} /> left
          </span>
        )}
      </td>
    </tr>
  );
}
