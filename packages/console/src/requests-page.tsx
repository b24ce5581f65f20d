import { formatDateTime, formatElapsed, formatNumber, When } from './format.tsx';
import { ListPage } from './list-page.tsx';
import { Badge, KeyAndAccount } from './marks.tsx';
import { type FailedRequest, KEPT_REQUESTS, useSession } from './service.ts';
import type { Column } from './table.tsx';

const COLUMNS: readonly Column<FailedRequest>[] = [
  { title: 'When', kind: 'state', cell: ({ at }) => <When time={at} /> },
  {
    title: 'Account',
    kind: 'name',
    cell: ({ account, key }) =>
      account === null ? (
        <span class="quiet">No valid key</span>
      ) : (
        <KeyAndAccount apiKey={key} account={account} />
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
    cell: ({ durationMs }) => formatElapsed(durationMs),
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

/** Options that show their values. */
function optionsOf(values: readonly (string | number)[]) {
  return Object.fromEntries(values.map((value) => [value, String(value)]));
}

export function RequestsPage() {
  const { instances, startedAt, errors } = useSession();
  return (
    <ListPage
      filters={[
        { name: 'requestId', label: 'X-Request-Id' },
        { name: 'account', label: 'Account name' },
        { name: 'status', label: 'Status', options: optionsOf(Object.values(errors)) },
        { name: 'code', label: 'Code', options: optionsOf(Object.keys(errors)) },
      ]}
      columns={COLUMNS}
      refreshMs={5_000}
      note={
        <p class="quiet">
          The last {formatNumber(KEPT_REQUESTS)} failed requests of each kind, since{' '}
          {formatDateTime(startedAt)}
          {instances > 1 && `, only of this instance of ${instances}`}.
        </p>
      }
      emptyTitle="No requests"
    >
      Only refused and failed requests are listed.
    </ListPage>
  );
}
