import { newAccountDialog } from './account-dialogs.tsx';
import { type Account, type AccountList, useQuery, withQuery } from './api.ts';
import { Day } from './clock.tsx';
import { DialogButton } from './dialog.tsx';
import { Search } from './field.tsx';
import { formatNumber } from './format.ts';
import { AccountLink, Badge, PlanBadge, WindowBar } from './marks.tsx';
import { linkTo, type Route, showList } from './route.ts';
import { Empty, Loaded } from './states.tsx';
import { type Column, cursorOf, Pager, Table } from './table.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 30_000;

const COLUMNS: readonly Column<Account>[] = [
  {
    title: 'Account',
    kind: 'name',
    cell: ({ name, state }) => (
      <>
        <AccountLink name={name} /> {state === 'suspended' && <Badge tone="bad">Suspended</Badge>}
      </>
    ),
  },
  {
    title: 'Plan',
    kind: 'state',
    cell: ({ plan }) => <PlanBadge name={plan} />,
  },
  { title: 'This minute', cell: ({ usage }) => <WindowBar window={usage?.minute} /> },
  { title: 'Today', cell: ({ usage }) => <WindowBar window={usage?.day} /> },
  {
    title: 'Last 30 days',
    kind: 'figure',
    cell: ({ days }) => formatNumber(days.reduce((sum, count) => sum + count, 0)),
  },
  {
    title: 'Created',
    kind: 'figure',
    cell: ({ createdAt }) => <Day time={createdAt} />,
  },
];

export function AccountsPage({ route }: { route: Route }) {
  const { search = '' } = route.parameters;
  const offset = Number(cursorOf(route) ?? 0);
  const query = useQuery<AccountList>(
    withQuery('accounts', { search, offset, limit: PAGE_SIZE }),
    REFRESH_MS,
  );
  return (
    <>
      <div class="head">
        <h1>Accounts</h1>
        <Search
          label="Search by name or key"
          value={search}
          onChange={(text) => showList(route, { search: text })}
        />
        <DialogButton opens={newAccountDialog}>New account</DialogButton>
      </div>
      <Loaded query={query}>
        {({ total, accounts }) => {
          const last = offset + accounts.length;
          return (
            <>
              <Table
                name="accounts"
                columns={COLUMNS}
                rows={accounts}
                keyOf={({ id }) => id}
                empty={<NoAccounts search={search} />}
              />
              <Pager route={route} next={last < total ? last : null}>
                {accounts.length > 0 &&
                  `${formatNumber(offset + 1)}–${formatNumber(last)} of ${formatNumber(total)}`}
              </Pager>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function NoAccounts({ search }: { search: string }) {
  return search === '' ? (
    <Empty title="No accounts yet">
      <p>
        An account has a plan and one or more keys. Create the first one to let someone call the
        API.
      </p>
    </Empty>
  ) : (
    <Empty title="No account has this name">
      <p>
        Nothing matches “{search}”. <a href={linkTo('accounts')}>Show all accounts</a>
      </p>
    </Empty>
  );
}
