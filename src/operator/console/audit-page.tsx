import { type AuditEntry, type AuditList, type FieldChange, withQuery } from './api.ts';
import { formatTime } from './format.ts';
import { Ago } from './marks.tsx';
import { CursorPager, cursorOf } from './pager.tsx';
import { linkTo, type Route, replaceRoute } from './route.ts';
import { SearchField } from './search-field.tsx';
import { Select } from './select.tsx';
import { Empty, Loaded } from './states.tsx';
import { useQuery } from './use-query.ts';

const PAGE_SIZE = 100;

const ACTIONS: Readonly<Record<string, string>> = {
  'account.create': 'Account created',
  'account.rename': 'Account renamed',
  'account.reset': 'Account reset',
  'account.resume': 'Account resumed',
  'account.set-plan': 'Plan changed',
  'account.suspend': 'Account suspended',
  'key.create': 'Key created',
  'key.revoke': 'Key revoked',
  'key.rotate': 'Key rotated',
  'key.unban': 'Ban lifted',
  'key.update': 'Key changed',
  'pet.add': 'Pet added',
  'pet.import': 'Pets imported',
  'pet.remove': 'Pet removed',
  'pet.set-status': 'Status corrected',
  'store.import': 'Store imported',
  'store.restore': 'Store restored',
};

const PERIODS = [
  ['', 'All time'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
] as const;

export function AuditPage({ route }: { route: Route }) {
  const { account = '', since = '', pages = '' } = route.parameters;
  const query = useQuery<AuditList>(
    withQuery('audit', { account, since, before: cursorOf(pages), limit: PAGE_SIZE }),
  );
  const show = (changes: Readonly<Record<string, string>>) =>
    replaceRoute(linkTo('audit', { account, since, ...changes }));
  return (
    <>
      <div class="head">
        <h1>Audit</h1>
        <SearchField
          label="Account name"
          value={account}
          onSearch={(text) => show({ account: text })}
        />
        <Select
          label="Period"
          options={PERIODS}
          value={since}
          onChange={(chosen) => show({ since: chosen })}
        />
      </div>
      <Loaded query={query} rows={10}>
        {({ entries, next }) => (
          <>
            {entries.length === 0 ? (
              <NoEntries isFiltered={account !== '' || since !== ''} />
            ) : (
              <EntryTable entries={entries} />
            )}
            <CursorPager trail={pages} next={next} onMove={(trail) => show({ pages: trail })} />
          </>
        )}
      </Loaded>
    </>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No change matches">
      <p>
        <a href={linkTo('audit')}>Show all changes</a>
      </p>
    </Empty>
  ) : (
    <Empty title="No changes yet">
      <p>
        Every change by a command or by this console appears here. Nobody can edit or delete it.
      </p>
    </Empty>
  );
}

function EntryTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <table class="list audit">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Change</th>
          <th scope="col">Old and new values</th>
          <th scope="col">By</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              <Ago time={entry.at} />
              <span class="sub">{formatTime(entry.at)}</span>
            </td>
            <th scope="row">
              {ACTIONS[entry.action] ?? entry.action}
              <span class="sub">
                <Subject entry={entry} />
              </span>
            </th>
            <td>
              <Changes changes={entry.changes} />
            </td>
            <td>
              {entry.operator}
              <span class="sub">{entry.command}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** As "key 2 of shop". The name of an account says more than its number. */
function Subject({ entry }: { entry: AuditEntry }) {
  const { subject, account } = entry;
  if (account === null) return subject;
  const link = (
    <a href={linkTo('accounts', {}, account)}>
      <bdi>{account}</bdi>
    </a>
  );
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
