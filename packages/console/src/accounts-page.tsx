import { NewAccountButton } from './account-actions.tsx';
import { AccountPage } from './account-page.tsx';
import { formatDate, plural } from './format.tsx';
import { ListPage } from './list-page.tsx';
import { AccountLink, Badge, Empty, PlanBadge, StateBadge, WindowBar } from './marks.tsx';
import type { PageAddress } from './route.ts';
import { type ListedAccount, PLANS, refusalsOf, requestsOf } from './service.ts';
import { type Column, figure } from './table.tsx';

const COLUMNS: readonly Column<ListedAccount>[] = [
  {
    title: 'Account',
    kind: 'name',
    sort: 'name',
    cell: ({ name, state, bannedKeys }) => (
      <>
        <AccountLink name={name} /> {state !== 'active' && <StateBadge state={state} />}
        {bannedKeys === null && <span class="quiet">bans unknown</span>}
        {bannedKeys ? <Badge tone="bad">{`${plural(bannedKeys, 'key')} banned`}</Badge> : null}
      </>
    ),
  },
  { title: 'Plan', kind: 'state', sort: 'plan', cell: ({ plan }) => <PlanBadge plan={plan} /> },
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

const PLAN_TITLES = Object.entries(PLANS).map(([name, { title }]) => [name, title]);

const FILTERS = [
  { name: 'search', label: 'Name or key' },
  { name: 'state', label: 'State', options: { active: 'Active', suspended: 'Suspended' } },
  { name: 'plan', label: 'Plan', options: Object.fromEntries(PLAN_TITLES) },
];

export function AccountsPage({ route }: { route: PageAddress }) {
  const { name } = route;
  if (name !== undefined) return <AccountPage key={name} name={name} />;
  return (
    <ListPage
      route={route}
      filters={FILTERS}
      columns={COLUMNS}
      order="-requests"
      action={<NewAccountButton />}
      empty={
        <Empty title="No accounts yet">
          An account has a plan and one or more keys. Create the first one to let someone call the
          API.
        </Empty>
      }
    />
  );
}
