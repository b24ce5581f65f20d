import { capitalize, When } from './format.tsx';
import { ListPage } from './list-page.tsx';
import { AccountLink, noted } from './marks.tsx';
import type { AuditEntryView } from './service.ts';
import type { Column } from './table.tsx';

const FILTERS = [
  { name: 'account', label: 'Account name' },
  { name: 'operator', label: 'Operator' },
  { name: 'action', label: 'Change' },
  {
    name: 'since',
    label: 'Time',
    options: {
      '24h': 'Last 24 hours',
      '7d': 'Last 7 days',
      '30d': 'Last 30 days',
      '90d': 'Last 90 days',
    },
  },
];

const COLUMNS: readonly Column<AuditEntryView>[] = [
  { title: 'When', cell: ({ at }) => <When time={at} /> },
  {
    title: 'Change',
    kind: 'name',
    // For example "Account: set plan" for `account.set-plan`.
    cell: ({ action, subject, account }) =>
      noted(
        capitalize(action.replace('.', ': ').replace('-', ' ')),
        <>
          {subject}{' '}
          {account !== null && (
            <>
              (<AccountLink name={account} />)
            </>
          )}
        </>,
      ),
  },
  {
    title: 'Old and new values',
    cell: Changes,
  },
  {
    title: 'By',
    cell: ({ operator, command }) => noted(operator, command),
  },
];

export function AuditPage() {
  return (
    <ListPage filters={FILTERS} columns={COLUMNS} emptyTitle="No changes">
      Every sign-in, and every change that a command or this console makes, is listed here for good.
    </ListPage>
  );
}

function Changes({ changes }: AuditEntryView) {
  if (changes.length === 0) return <span class="quiet">No values</span>;
  return (
    <>
      {changes.map(({ field, from, to }) => (
        <div key={field} class="note">
          {field} {from && <del>{from}</del>}
          {from && to && ' → '}
          {to && <ins>{to}</ins>}
        </div>
      ))}
    </>
  );
}
