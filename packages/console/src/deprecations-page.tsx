import { DayChart } from './chart.tsx';
import { formatDate, formatNumber, plural, When } from './format.tsx';
import { Loaded } from './loaded.tsx';
import { Badge, Tile } from './marks.tsx';
import type { BrownoutView, CallerView, Deprecations } from './service.ts';
import { ACCOUNT_COLUMN, type Column, figure, moment, Table } from './table.tsx';

export function DeprecationsPage() {
  return <Loaded<Deprecations> path="deprecations">{DeprecationsView}</Loaded>;
}

function DeprecationsView(props: Deprecations) {
  const { operation, removedAt, daysLeft, callers, callerCount, trend } = props;
  // The table also has callers that have stopped, as far back as the history goes.
  const recent = callers.filter(({ lastMonth }) => lastMonth > 0);
  const accounts = new Set(recent.map(({ account }) => account)).size;
  const total = (period: 'lastDay' | 'lastWeek') =>
    formatNumber(callers.reduce((sum, caller) => sum + caller[period], 0));
  return (
    <>
      <div class="head">
        <h1>Deprecation of {operation}</h1>
      </div>
      <dl class="tiles">
        <Tile
          label="Days left"
          value={formatNumber(daysLeft)}
          note={`Removal on ${formatDate(removedAt)}`}
        />
        <Tile
          label="Accounts that still call it"
          tone={recent.length > 0 ? 'warning' : 'good'}
          value={formatNumber(accounts)}
          note={`${plural(recent.length, 'key')} in the last month`}
        />
        <Tile
          label="Requests in the last day"
          value={total('lastDay')}
          note={`${total('lastWeek')} in the last week`}
        />
      </dl>
      <DayChart series={[{ label: operation, tone: 'warning', values: trend }]} />
      <section>
        <h2>Callers</h2>
        {callerCount > callers.length && (
          <p class="quiet">
            Only the {plural(callers.length, 'key')} with the most requests in the last month are
            shown, of {formatNumber(callerCount)}.
          </p>
        )}
        <Table
          columns={CALLER_COLUMNS}
          rows={callers}
          keyOf={({ key }) => key}
          emptyTitle={`Nobody calls ${operation}`}
        >
          The usage history has no requests for it.
        </Table>
      </section>
      <Brownouts {...props} />
    </>
  );
}

function Brownouts({ operation, brownouts }: Deprecations) {
  return (
    <section>
      <h2>Brownouts</h2>
      <Table
        columns={BROWNOUT_COLUMNS}
        rows={brownouts}
        keyOf={({ startsAt }) => startsAt}
        emptyTitle="No brownouts"
      >
        A brownout is a short outage of {operation}, to find its callers before it is removed. They
        get a 410 that says when it ends. To plan one, set <code>BROWNOUTS</code>, for example to{' '}
        <code>2030-06-01T10:00Z/1h</code>, and restart every instance.
      </Table>
      {brownouts.length > 0 && (
        <p class="quiet">
          From <code>BROWNOUTS</code> of this instance. A change needs a restart of every instance.
        </p>
      )}
    </section>
  );
}

const CALLER_COLUMNS: readonly Column<CallerView>[] = [
  ACCOUNT_COLUMN,
  {
    title: 'Key',
    sort: ({ key }) => key,
    cell: ({ key, label }) => (
      <>
        Key&nbsp;{key} <bdi class="quiet">{label}</bdi>
      </>
    ),
  },
  figure('Last day', ({ lastDay }) => lastDay),
  figure('Last week', ({ lastWeek }) => lastWeek),
  figure('Last month', ({ lastMonth }) => lastMonth),
  moment('First seen', ({ firstSeenAt }) => firstSeenAt),
  moment('Last seen', ({ lastSeenAt }) => lastSeenAt),
];

const BROWNOUT_COLUMNS: readonly Column<BrownoutView>[] = [
  { title: 'Starts', kind: 'name', cell: ({ startsAt }) => <When time={startsAt} /> },
  { title: 'Ends', cell: ({ endsAt }) => <When time={endsAt} /> },
  {
    title: 'State',
    cell: ({ state }) => <Badge tone={state === 'active' ? 'warning' : 'neutral'}>{state}</Badge>,
  },
];
