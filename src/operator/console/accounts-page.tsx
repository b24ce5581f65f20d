import { newAccountDialog } from './account-dialogs.tsx';
import { type Account, type AccountList, useQuery, withQuery } from './api.ts';
import { Day } from './clock.tsx';
import { openDialog } from './dialog.tsx';
import { Filter } from './field.tsx';
import { formatCompact, formatNumber } from './format.ts';
import { AccountLink, Badge, PlanBadge, Sparkline, WindowBar } from './marks.tsx';
import { linkTo, type Route, showList } from './route.ts';
import { Empty, Loaded } from './states.tsx';
import { type Column, cursorOf, Pager, Table } from './table.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 30_000;

const COLUMNS: readonly Column<Account>[] = [
  {
    title: 'Account',
    kind: 'name',
    sort: ['name', 'asc'],
    cell: ({ name, state }) => (
      <>
        <AccountLink name={name} />
        {state === 'suspended' && <Badge tone="bad">Suspended</Badge>}
      </>
    ),
  },
  {
    title: 'Plan',
    kind: 'state',
    sort: ['plan', 'asc'],
    cell: ({ plan }) => <PlanBadge name={plan} />,
  },
  { title: 'This minute', cell: ({ usage }) => <WindowBar window={usage?.minute} /> },
  { title: 'Today', cell: ({ usage }) => <WindowBar window={usage?.day} /> },
  {
    title: 'Last 30 days',
    sort: ['requests', 'desc'],
    cell: ({ days }) => (
      <span class="trend">
        <Sparkline days={days} />
        <span class="figures">{formatCompact(days.reduce((sum, count) => sum + count, 0))}</span>
      </span>
    ),
  },
  {
    title: 'Created',
    kind: 'figure',
    sort: ['created', 'desc'],
    cell: ({ createdAt }) => <Day time={createdAt} />,
  },
];

export function AccountsPage({ route }: { route: Route }) {
  const { search = '', sort = 'requests' } = route.parameters;
  const first = COLUMNS.find((column) => column.sort?.[0] === sort)?.sort?.[1] ?? 'asc';
  const order =
    route.parameters['order'] === undefined ? first : toOrder(route.parameters['order']);
  const offset = Number(cursorOf(route) ?? 0);
  const query = useQuery<AccountList>(
    withQuery('accounts', { search, sort, order, offset, limit: PAGE_SIZE }),
    REFRESH_MS,
  );
  return (
    <>
      <div class="head">
        <h1>Accounts</h1>
        <Filter
          label="Search by name"
          value={search}
          onChange={(text) => showList(route, { search: text })}
        />
        <button type="button" onClick={() => openDialog(newAccountDialog())}>
          New account
        </button>
      </div>
      <Loaded query={query} rows={10}>
        {({ total, accounts }) => {
          const last = offset + accounts.length;
          return (
            <>
              <Table
                name="accounts"
                columns={COLUMNS}
                rows={accounts}
                keyOf={({ id }) => id}
                sorting={{
                  by: sort,
                  order,
                  onSort: (by, order) => showList(route, { sort: by, order }),
                }}
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

function toOrder(text: string): 'asc' | 'desc' {
  return text === 'desc' ? 'desc' : 'asc';
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
