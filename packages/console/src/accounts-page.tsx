import { AccountButtons, limitsInWords, NewAccountButton } from './account-actions.tsx';
import { OutcomeChart } from './chart.tsx';
import { formatDate, formatDateTime, plural } from './format.tsx';
import { ACCOUNT_KEY_COLUMNS, NewKeyButton } from './keys.tsx';
import { ListPage } from './list-page.tsx';
import { Loaded } from './loaded.tsx';
import { AccountLink, Badge, Tile, WindowBar } from './marks.tsx';
import { linkTo, useRoute } from './route.ts';
import {
  ACCOUNT_STATES,
  type AccountAndKeys,
  accountPath,
  type ListedAccount,
  PLANS,
  refusalsOf,
  requestsOf,
} from './service.ts';
import { type Column, figure, Table } from './table.tsx';

const COLUMNS: readonly Column<ListedAccount>[] = [
  {
    title: 'Account',
    kind: 'name',
    sort: 'name',
    cell: ({ name, state, bannedKeys }) => (
      <>
        <AccountLink name={name} /> {state !== 'active' && <Badge>{state}</Badge>}
        {bannedKeys === null && <span class="quiet">bans unknown</span>}
        {!!bannedKeys && <Badge tone="bad">{`${plural(bannedKeys, 'key')} banned`}</Badge>}
      </>
    ),
  },
  {
    title: 'Plan',
    sort: 'plan',
    cell: ({ plan }) => <Badge>{PLANS[plan].title}</Badge>,
  },
  { title: 'This minute', cell: ({ usage }) => <WindowBar window={usage?.minute} /> },
  { title: 'Today', cell: ({ usage }) => <WindowBar window={usage?.day} /> },
  figure('Last 30 days', requestsOf, 'requests'),
  figure('Refused', refusalsOf, 'refused'),
  {
    title: 'Created',
    kind: 'figure',
    sort: 'created',
    cell: ({ createdAt }) => formatDate(createdAt),
  },
];

const FILTERS = [
  { name: 'search', label: 'Name or key' },
  { name: 'state', label: 'State', options: ACCOUNT_STATES },
  {
    name: 'plan',
    label: 'Plan',
    options: Object.fromEntries(Object.entries(PLANS).map(([name, { title }]) => [name, title])),
  },
];

export function AccountsPage() {
  const { name } = useRoute();
  if (name !== undefined) {
    return (
      <Loaded<AccountAndKeys> key={name} path={accountPath(name)} refreshMs={5_000}>
        {AccountPage}
      </Loaded>
    );
  }
  return (
    <ListPage
      filters={FILTERS}
      columns={COLUMNS}
      order="-requests"
      action={<NewAccountButton />}
      emptyTitle="No accounts yet"
    >
      An account has a plan and one or more keys. Create the first one to let someone call the API.
    </ListPage>
  );
}

function AccountPage({ account, days, keys }: AccountAndKeys) {
  const { id, name, plan, state, usage, suspendedAt, suspensionReason } = account;
  return (
    <>
      <div class="head">
        <h1>
          <bdi>{name}</bdi> <Badge>{PLANS[plan].title}</Badge> <Badge>{state}</Badge>
        </h1>
        <div class="buttons">
          <AccountButtons account={account} keyCount={keys.length} />
          <NewKeyButton accountName={name} />
        </div>
      </div>
      {suspendedAt !== null && (
        <p class="banner">
          Suspended on {formatDateTime(suspendedAt)}
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
        <Tile label="Limits">{limitsInWords(account)}</Tile>
        <Tile
          label="Created"
          note={
            <>
              Id {id}, <a href={linkTo('requests', { account: name })}>failed requests</a>,{' '}
              <a href={linkTo('audit', { account: name })}>changes in the audit</a>
            </>
          }
        >
          {formatDateTime(account.createdAt)}
        </Tile>
      </dl>
      <OutcomeChart days={days} />
      <section>
        <h2>Keys</h2>
        <Table
          columns={ACCOUNT_KEY_COLUMNS}
          rows={keys}
          keyOf={({ id }) => id}
          emptyTitle="No keys yet"
        >
          Create a key and give it to the customer. Every request needs one.
        </Table>
      </section>
    </>
  );
}
