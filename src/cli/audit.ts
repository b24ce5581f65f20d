import { type AuditEntry, changeInWords, subjectInWords } from '#domain/operator/audit.ts';
import { formatTime, parseSince, TIME_FORMS } from '#domain/time-text.ts';
import { parseJson } from '#formats/json.ts';
import { platform } from '#platform.ts';
import { type CliCommand, parseWholeNumber } from './cli.ts';
import { type Columns, formatTable } from './text.ts';

interface AuditOptions {
  readonly since?: number;
  readonly account?: string;
  readonly limit?: number;
}

export function define(command: CliCommand): void {
  command
    .description('list the changes of operators, the newest first')
    .option('--since <when>', TIME_FORMS, (text) => parseSince(text, platform.now()))
    .option('--account <name>', 'only of this account and its keys')
    .option('--limit <n>', 'at most this many', parseWholeNumber)
    .withStore(async ({ cli, store }, { since: sinceMs, account, limit }: AuditOptions) => {
      const entries = await store.audit.listChanges({ sinceMs, account, limit });
      // Without any entries, the name may be wrong, and this throws. A removed account still has entries.
      if (account !== undefined && entries.length === 0) await store.accounts.getAccount(account);
      await cli.print(entries.map(toJson), formatTable(COLUMNS, entries));
    });
}

const COLUMNS: Columns<AuditEntry> = {
  TIME: ({ createdAtMs }) => formatTime(createdAtMs),
  ACTION: 'action',
  ABOUT: subjectInWords,
  OPERATOR: 'operator',
  COMMAND: 'command',
  CHANGE: changeInWords,
};

function toJson({ createdAtMs, oldValue, newValue, ...entry }: AuditEntry) {
  return {
    ...entry,
    createdAt: new Date(createdAtMs).toISOString(),
    old: parseJson(oldValue ?? 'null'),
    new: parseJson(newValue ?? 'null'),
  };
}
