import { Ago, formatElapsed, formatNumber, When } from './format.tsx';
import { ListPage } from './list-page.tsx';
import { Badge, keyAndAccount, noted } from './marks.tsx';
import { type FailedRequest, useSession } from './service.ts';
import type { Column } from './table.tsx';

const COLUMNS: readonly Column<FailedRequest>[] = [
  { title: 'When', cell: ({ at }) => <When time={at} /> },
  {
    title: 'Requests',
    kind: 'figure',
    cell: ({ count, firstAt }) =>
      noted(
        formatNumber(count),
        count > 1 && (
          <>
            first <Ago time={firstAt} />
          </>
        ),
      ),
  },
  {
    title: 'Account',
    kind: 'name',
    cell: (row) =>
      row.account === null ? <span class="quiet">No known key</span> : keyAndAccount(row),
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
    cell: ({ requestId, address }) => noted(<code>{requestId}</code>, `from ${address}`),
  },
];

/** Options that show their values. */
function optionsOf(values: readonly (string | number)[]) {
  return Object.fromEntries(values.map((value) => [value, String(value)]));
}

export function RequestsPage() {
  const { errors } = useSession();
  const statuses = { '!429': 'All but 429', ...optionsOf(Object.values(errors)) };
  return (
    <ListPage
      filters={[
        { name: 'requestId', label: 'X-Request-Id' },
        { name: 'account', label: 'Account name' },
        {
          name: 'callers',
          label: 'Caller',
          any: 'From accounts',
          options: { unknown: 'Without a known key' },
        },
        { name: 'status', label: 'Status', options: statuses },
        { name: 'code', label: 'Code', options: optionsOf(Object.keys(errors)) },
      ]}
      columns={COLUMNS}
      refreshMs={5_000}
      emptyTitle="No requests"
    >
      Only refused and failed requests are listed.
    </ListPage>
  );
}
