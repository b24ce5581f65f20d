import { MAX_ID } from '../../domain/int64.ts';
import type { AccountStore } from '../../domain/operator/account-store.ts';
import type { AuditEntry } from '../../domain/operator/audit.ts';
import { changesOf, subjectInWords } from '../../domain/operator/change-in-words.ts';
import { formatTime, parseSince } from '../../domain/time-text.ts';
import type * as Api from '../console/console-api.ts';
import { type ConsoleRoutes, type ConsoleSources, json, queryNumber } from './call.ts';

const PAGE_SIZE = 100;

export function auditRoutes({ store, now }: ConsoleSources): ConsoleRoutes {
  const { audit, accounts } = store;
  return {
    '/api/audit': {
      async GET({ query }) {
        const before = queryNumber(query, 'before', MAX_ID);
        const since = query.get('since');
        const found = await audit.listChanges({
          limit: PAGE_SIZE + 1,
          beforeId: before || undefined,
          account: query.get('account') || undefined,
          sinceMs: since ? parseSince(since, now()) : undefined,
        });
        const page = found.slice(0, PAGE_SIZE);
        const next = found.length > PAGE_SIZE ? (page.at(-1)?.id ?? null) : null;
        const names = await namesOf(page, accounts);
        return json<Api.AuditList>({ entries: page.map((entry) => toJson(entry, names)), next });
      },
    },
  };
}

/** The names of today, which may differ from those at the time of the change. */
async function namesOf(entries: readonly AuditEntry[], accounts: AccountStore) {
  const ids = new Set(entries.map(({ accountId }) => accountId).filter((id) => id !== null));
  const found = await accounts.getAccounts([...ids]);
  return new Map(found.map(({ id, name }) => [id, name]));
}

function toJson(entry: AuditEntry, names: ReadonlyMap<number, string>): Api.AuditEntry {
  const { id, createdAtMs, action, command, operator } = entry;
  const account = names.get(entry.accountId ?? 0) ?? null;
  return {
    id,
    at: formatTime(createdAtMs),
    action,
    // The entry knows the name of an account that was removed.
    subject: account === null ? subjectInWords(entry) : entry.subject,
    command,
    operator,
    account,
    changes: changesOf(entry),
  };
}
