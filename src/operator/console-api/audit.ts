import { parseId } from '../../domain/int64.ts';
import type { AccountStore } from '../../domain/operator/account-store.ts';
import type { AuditEntry } from '../../domain/operator/audit.ts';
import { changesOf, subjectInWords } from '../../domain/operator/change-in-words.ts';
import { formatTime, parseSince } from '../../domain/time-text.ts';
import { type ConsoleRoutes, type ConsoleSources, pageOf, ROWS_PER_PAGE } from './call.ts';
import type * as Api from './shapes.ts';

export function auditRoutes({ store, now }: ConsoleSources): ConsoleRoutes {
  const { audit, accounts } = store;
  return {
    '/api/audit': {
      async GET({ read }): Promise<Api.PageOfRows<Api.AuditEntryView>> {
        const found = await audit.listChanges({
          limit: ROWS_PER_PAGE + 1,
          beforeId: read('cursor', parseId),
          account: read('account', String),
          sinceMs: read('since', (text) => parseSince(text, now())),
        });
        const names = await namesOf(found, accounts);
        return pageOf(found.map((entry) => toJson(entry, names)));
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

function toJson(entry: AuditEntry, names: ReadonlyMap<number, string>): Api.AuditEntryView {
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
