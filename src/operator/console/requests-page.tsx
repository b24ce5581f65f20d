import {
  type FailedRequest,
  type FailedRequestPage,
  useQuery,
  useSession,
  withQuery,
} from './api.ts';
import { KEPT_REQUESTS } from './console-api.ts';
import { Ago, formatMeasure, formatNumber, formatTime } from './format.tsx';
import { AccountLink, Badge, Empty, Loaded } from './marks.tsx';
import { linkTo, type Route } from './route.ts';
import { type Column, cursorOf, Filter, Pager, Search, Table } from './table.tsx';

const REFRESH_MS = 5_000;

const COLUMNS: readonly Column<FailedRequest>[] = [
  {
    title: 'When',
    kind: 'state',
    cell: ({ at }) => (
      <>
        <Ago time={at} />
        <span class="sub">{at}</span>
      </>
    ),
  },
  {
    title: 'Account',
    kind: 'name',
    cell: ({ account, key }) =>
      account === null ? (
        <span class="quiet">No valid key</span>
      ) : (
        <>
          <AccountLink name={account} />
          <span class="sub">Key {key}</span>
        </>
      ),
  },
  { title: 'Operation', cell: ({ operation }) => operation },
  {
    title: 'Response',
    cell: ({ status, code }) => (
      <>
        <Badge tone={status >= 500 ? 'bad' : 'warning'}>{String(status)}</Badge> {code}
      </>
    ),
  },
  {
    title: 'Duration',
    kind: 'figure',
    cell: ({ durationMs }) => `${formatMeasure(durationMs)} ms`,
  },
  {
    title: 'Request id',
    cell: ({ requestId, address }) => (
      <>
        <code>{requestId}</code>
        <span class="sub">from {address}</span>
      </>
    ),
  },
];

export function RequestsPage({ route }: { route: Route }) {
  const { account, status, code, requestId } = route.parameters;
  const { instances, startedAt, errors } = useSession();
  const filters = { account, status, code, requestId };
  const query = useQuery<FailedRequestPage>(
    withQuery('requests', { ...filters, before: cursorOf(route) }),
    REFRESH_MS,
  );
  const statuses = [...new Set(Object.values(errors))].map(String);
  return (
    <>
      <div class="head">
        <h1>Requests</h1>
        <Search route={route} name="requestId" label="X-Request-Id" />
        <Search route={route} name="account" label="Account name" />
        <Filter
          route={route}
          name="status"
          label="Status"
          parts={[['', 'Every status'], ...statuses.map((each) => [each, each] as const)]}
        />
        <Filter
          route={route}
          name="code"
          label="Code"
          parts={[['', 'Every code'], ...Object.keys(errors).map((each) => [each, each] as const)]}
        />
      </div>
      <p class="quiet">
        Up to the last {formatNumber(KEPT_REQUESTS)} failed requests of each kind, since{' '}
        {formatTime(startedAt)}
        {instances > 1 && `, only of this instance of ${instances}`}.
      </p>
      <Loaded query={query}>
        {({ requests, next }) => (
          <>
            <Table
              name="requests"
              columns={COLUMNS}
              rows={requests}
              keyOf={({ number }) => number}
              empty={
                <Empty title="No matching requests">
                  <p>Only refused and failed requests are listed.</p>
                  <p>
                    <a href={linkTo('requests')}>Show all</a>
                  </p>
                </Empty>
              }
            />
            <Pager route={route} next={next} />
          </>
        )}
      </Loaded>
    </>
  );
}
