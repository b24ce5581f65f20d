import { type AuditEntry, type AuditList, type FieldChange, useQuery, withQuery } from './api.ts';
import { Ago, formatTime } from './format.tsx';
import { AccountLink, Empty, Loaded } from './marks.tsx';
import { linkTo, type Route } from './route.ts';
import { type Column, cursorOf, Pager, Search, Table, Tabs } from './table.tsx';

const PERIODS = [
  ['', 'All time'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
] as const;

const COLUMNS: readonly Column<AuditEntry>[] = [
  {
    title: 'When',
    kind: 'state',
    cell: ({ at }) => (
      <>
        <Ago time={at} />
        <span class="sub">{formatTime(at)}</span>
      </>
    ),
  },
  {
    title: 'Change',
    kind: 'name',
    cell: (entry) => (
      <>
        {actionInWords(entry.action)}
        <span class="sub">
          <Changed entry={entry} />
        </span>
      </>
    ),
  },
  {
    title: 'Old and new values',
    kind: 'state',
    cell: ({ changes }) => <Changes changes={changes} />,
  },
  {
    title: 'By',
    kind: 'state',
    cell: ({ operator, command }) => (
      <>
        {operator}
        <span class="sub">{command}</span>
      </>
    ),
  },
];

export function AuditPage({ route }: { route: Route }) {
  const { account = '', since = '' } = route.parameters;
  const query = useQuery<AuditList>(
    withQuery('audit', { account, since, before: cursorOf(route) }),
  );
  return (
    <>
      <div class="head">
        <h1>Audit</h1>
        <Search route={route} name="account" label="Account name" />
      </div>
      <Tabs route={route} name="since" label="Period" parts={PERIODS} />
      <Loaded query={query}>
        {({ entries, next }) => (
          <>
            <Table
              name="audit"
              columns={COLUMNS}
              rows={entries}
              keyOf={({ id }) => id}
              empty={
                <Empty title="No changes">
                  <p>Every change by a command or by this console is here, for good.</p>
                  <p>
                    <a href={linkTo('audit')}>Show all changes</a>
                  </p>
                </Empty>
              }
            />
            <Pager route={route} next={next} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** As "Account: set plan" for `account.set-plan`. */
function actionInWords(action: string): string {
  const words = action.replace('.', ': ').replace('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** As "key 2 of shop". The name of an account says more than its number. */
function Changed({ entry }: { entry: AuditEntry }) {
  const { subject, account } = entry;
  if (account === null) return subject;
  const link = <AccountLink name={account} />;
  return subject.startsWith('account ') ? (
    link
  ) : (
    <>
      {subject} of {link}
    </>
  );
}

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return <span class="quiet">No values</span>;
  return (
    <ul class="changes">
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          <span class="quiet">{field} </span>
          {from !== '' && <del>{from}</del>}
          {from !== '' && to !== '' && ' → '}
          {to !== '' && <ins>{to}</ins>}
        </li>
      ))}
    </ul>
  );
}
