import type { AuditEntry } from '../../domain/operator/audit.ts';
import { changesOf, subjectInWords } from '../../domain/operator/change-in-words.ts';
import { formatTime, parseSince } from '../../domain/time-text.ts';
import { parseId } from '../../formats/int64.ts';
import { type ConsoleRoutes, type ConsoleSources, namesOf, pageOf, ROWS_PER_PAGE } from './call.ts';
import type * as Api from './shapes.ts';

export function auditRoutes({ store, now }: ConsoleSources): ConsoleRoutes {
  return {
    '/api/audit': {
      async GET({ read }): Promise<Api.PageOfRows<Api.AuditEntryView>> {
        const found = await store.audit.listChanges({
          limit: ROWS_PER_PAGE + 1,
          beforeId: read('cursor', parseId),
          account: read('account', String),
          sinceMs: read('since', (text) => parseSince(text, now())),
        });
        const ids = found.map(({ accountId }) => accountId).filter((id) => id !== null);
        const names = await namesOf(store, ids);
        return pageOf(found.map((entry) => toJson(entry, names)));
      },
    },
  };
}

function toJson(entry: AuditEntry, names: ReadonlyMap<number, string>): Api.AuditEntryView {
  const { id, createdAtMs, action, command, operator } = entry;
  const account = names.get(entry.accountId ?? 0) ?? null;
  return {
    id,
    at: formatTime(createdAtMs),
    action,
    // A removed account has no present name, but the entry knows the name it had.
    subject: account === null ? subjectInWords(entry) : entry.subject,
    command,
    operator,
    account,
    changes: changesOf(entry),
  };
}
