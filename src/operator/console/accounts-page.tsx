import { newAccountDialog, PlanDialog, resumeDialog, suspendDialog } from './account-dialogs.tsx';
import {
  type Account,
  type AccountAndKeys,
  type AccountList,
  accountPath,
  useQuery,
  useSession,
  withQuery,
} from './api.ts';
import { OutcomeChart } from './chart.tsx';
import { DialogButton } from './dialog.tsx';
import { Day, formatNumber, formatTime } from './format.tsx';
import { KeyTable, newKeyDialog } from './keys.tsx';
import { AccountLink, Badge, Empty, Loaded, PlanBadge, Tile, WindowBar } from './marks.tsx';
import { linkTo, type Route } from './route.ts';
import { type Column, cursorOf, Filter, figure, Pager, Search, Table } from './table.tsx';

const LIST_REFRESH_MS = 30_000;
const ACCOUNT_REFRESH_MS = 5_000;

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
    LIST_REFRESH_MS,
  );
  return (
    <>
      <div class="head">
        <h1>Accounts</h1>
        <Search route={route} name="search" label="Search by name or key" />
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

export function AccountPage({ name }: { name: string }) {
  const query = useQuery<AccountAndKeys>(accountPath(name), ACCOUNT_REFRESH_MS);
  return (
    <>
      <p class="crumb">
        <a href={linkTo('accounts')}>Accounts</a>
      </p>
      <Loaded query={query}>{(data) => <AccountView {...data} />}</Loaded>
    </>
  );
}

function AccountView({ account, keys }: AccountAndKeys) {
  const { id, name, plan, perMinute, perDay, usage, suspendedAt, suspensionReason } = account;
  return (
    <>
      <div class="head">
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <span class="badges">
          <PlanBadge name={plan} />
          {suspendedAt === null ? (
            <Badge tone="good">Active</Badge>
          ) : (
            <Badge tone="bad">Suspended</Badge>
          )}
        </span>
        <div class="buttons">
          <DialogButton look="secondary" opens={() => <PlanDialog account={account} />}>
            Change plan
          </DialogButton>
          {suspendedAt === null ? (
            <DialogButton look="secondary danger-text" opens={() => suspendDialog(name)}>
              Suspend
            </DialogButton>
          ) : (
            <DialogButton look="secondary" opens={() => resumeDialog(name)}>
              Resume
            </DialogButton>
          )}
          <DialogButton opens={() => newKeyDialog(name)}>New key</DialogButton>
        </div>
      </div>
      {suspendedAt !== null && (
        <p class="banner">
          Suspended on {formatTime(suspendedAt)}
          {suspensionReason ? `: ${suspensionReason}` : '. No reason was given.'}
        </p>
      )}
      <dl class="tiles">
        <Tile label="This minute">
          <WindowBar window={usage?.minute} />
        </Tile>
        <Tile label="Today (UTC)">
          <WindowBar window={usage?.day} />
        </Tile>
        <Tile label="Limits">
          {formatNumber(perMinute)} a minute, {formatNumber(perDay)} a day
        </Tile>
        <Tile
          label="Created"
          note={
            <>
              Id {id}, <a href={linkTo('requests', { account: name })}>failed requests</a>,{' '}
              <a href={linkTo('audit', { account: name })}>changes in the audit</a>
            </>
          }
        >
          {formatTime(account.createdAt)}
        </Tile>
      </dl>
      <OutcomeChart days={account.days} />
      <section>
        <h2>Keys</h2>
        <KeyTable keys={keys} />
      </section>
    </>
  );
}
