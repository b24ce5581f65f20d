import { useState } from 'preact/hooks';
import { NewAccountDialog } from './account-dialogs.tsx';
import { type Account, type AccountList, withQuery } from './api.ts';
import { formatCompact, formatDate, formatTime } from './format.ts';
import { Badge, PlanBadge, Sparkline, WindowBar } from './marks.tsx';
import { OffsetPager } from './pager.tsx';
import { linkTo, type Route, replaceRoute } from './route.ts';
import { SearchField } from './search-field.tsx';
import { usePlan } from './session.ts';
import { Empty, Loaded } from './states.tsx';
import { useQuery } from './use-query.ts';

const PAGE_SIZE = 50;
const REFRESH_MS = 30_000;

interface Column {
  readonly title: string;
  readonly sort?: string;
  readonly class?: string;
}

const COLUMNS: readonly Column[] = [
  { title: 'Account', sort: 'name' },
  { title: 'Plan', sort: 'plan' },
  { title: 'This minute' },
  { title: 'Today' },
  { title: 'Last 30 days', sort: 'requests' },
  { title: 'Created', sort: 'created', class: 'end' },
];

/** Names read best from A to Z; counts and dates from the highest. */
function firstOrder(sort: string): 'asc' | 'desc' {
  return sort === 'requests' || sort === 'created' ? 'desc' : 'asc';
}

export function AccountsPage({ route }: { route: Route }) {
  const { search = '', sort = 'requests', order = firstOrder(sort) } = route.parameters;
  const offset = Number(route.parameters['offset'] ?? 0) || 0;
  const [isCreating, setCreating] = useState(false);
  const query = useQuery<AccountList>(
    withQuery('accounts', { search, sort, order, offset, limit: PAGE_SIZE }),
    REFRESH_MS,
  );
  const show = (changes: Readonly<Record<string, string | undefined>>) =>
    replaceRoute(linkTo('accounts', { search, sort, order, ...changes }));

  return (
    <>
      <div class="head">
        <h1>Accounts</h1>
        <SearchField
          label="Search by name"
          value={search}
          onSearch={(text) => show({ search: text })}
        />
        <button type="button" onClick={() => setCreating(true)}>
          New account
        </button>
      </div>
      <Loaded query={query} rows={10}>
        {({ total, accounts }) =>
          accounts.length === 0 ? (
            <NoAccounts search={search} />
          ) : (
            <>
              <table class="list accounts">
                <thead>
                  <tr>
                    {COLUMNS.map((column) => (
                      <Heading
                        key={column.title}
                        column={column}
                        order={column.sort === sort ? order : undefined}
                        onSort={(sort, order) => show({ sort, order })}
                      />
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {accounts.map((account) => (
                    <AccountRow key={account.id} account={account} />
                  ))}
                </tbody>
              </table>
              <OffsetPager
                offset={offset}
                size={PAGE_SIZE}
                total={total}
                onMove={(to) => show({ offset: to === 0 ? undefined : String(to) })}
              />
            </>
          )
        }
      </Loaded>
      {isCreating && <NewAccountDialog onClose={() => setCreating(false)} />}
    </>
  );
}

interface HeadingProps {
  readonly column: Column;
  /** Undefined unless the list is sorted by this column. */
  readonly order: string | undefined;
  readonly onSort: (sort: string, order: string) => void;
}

function Heading({ column, order, onSort }: HeadingProps) {
  const { title, sort } = column;
  if (sort === undefined) return <th scope="col">{title}</th>;
  const direction = order === 'asc' ? 'ascending' : 'descending';
  return (
    <th scope="col" class={column.class} aria-sort={order === undefined ? 'none' : direction}>
      <button
        type="button"
        class="sort"
        onClick={() =>
          onSort(sort, order === undefined ? firstOrder(sort) : order === 'asc' ? 'desc' : 'asc')
        }
      >
        {title}
      </button>
    </th>
  );
}

function AccountRow({ account }: { account: Account }) {
  const { name, plan, state, usage, days, createdAt } = account;
  const { title } = usePlan(plan);
  const total = days.reduce((sum, count) => sum + count, 0);
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('accounts', {}, name)}>
          <bdi>{name}</bdi>
        </a>
        {state === 'suspended' && <Badge tone="bad">Suspended</Badge>}
      </th>
      <td>
        <PlanBadge title={title} />
      </td>
      <td data-label="This minute">
        <WindowBar window={usage?.minute} />
      </td>
      <td data-label="Today">
        <WindowBar window={usage?.day} />
      </td>
      <td data-label="Last 30 days">
        <span class="trend">
          <Sparkline days={days} />
          <span class="figures">{formatCompact(total)}</span>
        </span>
      </td>
      <td class="end" data-label="Created">
        <time dateTime={createdAt} title={formatTime(createdAt)}>
          {formatDate(createdAt)}
        </time>
      </td>
    </tr>
  );
}

function NoAccounts({ search }: { search: string }) {
  if (search !== '') {
    return (
      <Empty title="No account has this name">
        <p>
          Nothing matches “{search}”. <a href={linkTo('accounts')}>Show all accounts</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No accounts yet">
      <p>
        An account has a plan and one or more keys. Create the first one to let someone call the
        API.
      </p>
    </Empty>
  );
}
