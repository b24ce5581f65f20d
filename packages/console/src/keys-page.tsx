import { KEY_COLUMNS, KeyName } from './keys.tsx';
import { ListPage } from './list-page.tsx';
import { AccountLink } from './marks.tsx';
import { KEY_FILTERS, type Key } from './service.ts';
import type { Column } from './table.tsx';

const COLUMNS: readonly Column<Key>[] = [
  {
    title: 'Account and key',
    kind: 'name',
    // One cell for both leaves enough room for the other columns.
    cell: (key) => (
      <>
        <AccountLink name={key.account} />
        <br />
        <KeyName {...key} />
      </>
    ),
  },
  // The API returns keys in the order of their numbers. To sort only one page of them would mislead.
  ...KEY_COLUMNS.map(({ sort: _, ...column }) => column),
];

export function KeysPage() {
  return (
    <ListPage
      filters={[{ name: 'filter', label: 'Filter', any: 'All keys', options: KEY_FILTERS }]}
      columns={COLUMNS}
      emptyTitle="No keys yet"
    >
      Open an account and create its first key. Every request needs one.
    </ListPage>
  );
}
