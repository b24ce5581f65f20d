import {
  type AuditEntry,
  type AuditFilter,
  changeInWords,
  subjectInWords,
} from '#domain/operator/audit.ts';
import { formatTime } from '#domain/time-text.ts';
import { parseJson } from '#formats/json.ts';
import { type CliCommand, type Period, parseWholeNumber } from './cli.ts';
import { type Columns, formatTable } from './text.ts';

export function define(command: CliCommand): void {
  command
    .description('list the changes of operators, the newest first')
    .period()
    .option('--account <name>', 'only of this account and its keys')
    .option('--operator <name>', 'only by this operator or system user')
    .option('--action <words>', 'only these actions, such as key.revoke or sign-in')
    .option('--limit <n>', 'at most this many', parseWholeNumber)
    .withStore(async ({ cli, store }, options: AuditFilter & Period) => {
      const { account, since, until } = options;
      const entries = await store.audit.listChanges({ ...options, sinceMs: since, untilMs: until });
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
