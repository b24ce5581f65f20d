import { auditEntryJson } from '#domain/operator/audit.ts';
import { parseSince } from '#domain/time-text.ts';
import { parseId } from '#formats/int64.ts';
import { type ConsoleRoutes, type ConsoleSources, namesOf, pageOf, ROWS_PER_PAGE } from './call.ts';

export function auditRoutes({ store, now }: ConsoleSources) {
  return {
    async 'GET /api/audit'({ read }) {
      const found = await store.audit.listChanges({
        limit: ROWS_PER_PAGE + 1,
        beforeId: read('cursor', parseId),
        account: read('account', String),
        operator: read('operator', String),
        action: read('action', String),
        sinceMs: read('since', (text) => parseSince(text, now())),
      });
      const ids = found.map(({ accountId }) => accountId).filter((id) => id !== null);
      const names = await namesOf(store, ids);
      return pageOf(
        found.map((entry) => auditEntryJson(entry, names.get(entry.accountId ?? 0) ?? null)),
      );
    },
  } satisfies ConsoleRoutes;
}
