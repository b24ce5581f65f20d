import { newAccountDialog } from './account-dialogs.tsx';
import { type Account, type AccountList, useQuery, useSession, withQuery } from './api.ts';
import { DialogButton } from './dialog.tsx';
import { Day, formatNumber } from './format.tsx';
import { AccountLink, Badge, Empty, Loaded, PlanBadge, WindowBar } from './marks.tsx';
import { linkTo, type Route } from './route.ts';
import { type Column, cursorOf, Filter, figure, Pager, Search, Table } from './table.tsx';

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
  figure('Last 30 days', ({ days }) =>
    sum(days.flatMap((day) => [day.served, day.clientErrors, day.serverErrors, day.refused])),
  ),
  figure('Refused', ({ days }) => sum(days.map(({ refused }) => refused))),
  {
    title: 'Created',
    kind: 'figure',
    cell: ({ createdAt }) => <Day time={createdAt} />,
  },
];

const STATES = [
  ['', 'Every state'],
  ['active', 'Active'],
  ['suspended', 'Suspended'],
  ['banned', 'A key is banned'],
] as const;

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

export function AccountsPage({ route }: { route: Route }) {
  const { search = '', state = '', plan = '' } = route.parameters;
  const { plans } = useSession();
  const offset = Number(cursorOf(route) ?? 0);
  const query = useQuery<AccountList>(
    withQuery('accounts', { search, state, plan, offset }),
    REFRESH_MS,
  );
  return (
    <>
      <div class="head">
        <h1>Accounts</h1>
        <Search route={route} name="search" label="Name or key" />
        <Filter route={route} name="state" label="State" parts={STATES} />
        <Filter
          route={route}
          name="plan"
          label="Plan"
          parts={[['', 'Every plan'], ...plans.map(({ name, title }) => [name, title] as const)]}
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
                empty={<NoAccounts isFiltered={`${search}${state}${plan}` !== ''} />}
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

function NoAccounts({ isFiltered }: { isFiltered: boolean }) {
  return !isFiltered ? (
    <Empty title="No accounts yet">
      <p>
        An account has a plan and one or more keys. Create the first one to let someone call the
        API.
      </p>
    </Empty>
  ) : (
    <Empty title="No such account">
      <p>
        <a href={linkTo('accounts')}>Show all accounts</a>
      </p>
    </Empty>
  );
}
