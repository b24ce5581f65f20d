import { Command } from 'commander';
import { parseJson } from '../domain/json.ts';
import type { AuditEntry } from '../domain/operator/audit.ts';
import { changeInWords, subjectInWords } from '../domain/operator/change-in-words.ts';
import { formatTime, parseSince, SINCE_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, parseWholeNumber } from './cli.ts';
import { formatCount } from './printable.ts';

/** Of a table. A program gets all entries. */
const DEFAULT_LIMIT = 50;

interface AuditOptions {
  readonly since?: string;
  readonly account?: string;
  readonly limit?: number;
}

export function auditCommand(cli: Cli): Command {
  return new Command('audit')
    .description(
      'list what operators have changed, by commands and in the console; the newest first',
    )
    .option('--since <when>', SINCE_FORMS)
    .option('--account <name>', 'only changes of this account and of its keys')
    .option(
      '--limit <n>',
      `at most this many changes (default: ${DEFAULT_LIMIT}, or all with --json)`,
      parseWholeNumber,
    )
    .option('--json', 'print JSON, with the values before and after')
    .action((options: AuditOptions) => listChanges(cli, options));
}

async function listChanges(cli: Cli, { since, account, ...given }: AuditOptions): Promise<void> {
  const sinceMs = since === undefined ? undefined : parseSince(since, platform.now());
  await using store = await cli.openStore();
  const limit = given.limit ?? (cli.json ? undefined : DEFAULT_LIMIT);
  const found = await store.audit.listChanges({
    sinceMs,
    accountId: account === undefined ? undefined : (await store.accounts.getAccount(account)).id,
    // One more shows that there are more.
    limit: limit === undefined ? undefined : limit + 1,
  });
  const entries = found.slice(0, limit);
  if (cli.json) return await cli.print(entries.map(toJson), []);
  await cli.printTable(entries, [
    { heading: 'TIME', cell: ({ createdAtMs }) => formatTime(createdAtMs) },
    { heading: 'ACTION', cell: ({ action }) => action },
    { heading: 'SUBJECT', cell: subjectInWords, narrow: 'cut' },
    { heading: 'CHANGE', cell: changeInWords, narrow: 'cut' },
    { heading: 'OPERATOR', cell: ({ operator }) => operator, narrow: 'cut' },
    { heading: 'COMMAND', cell: ({ command }) => command, narrow: 'leave out' },
  ]);
  if (found.length > entries.length)
    await cli.remark(
      `The newest ${formatCount(entries.length)} changes. To see more, set --limit.`,
    );
}

function toJson({ createdAtMs, oldValue, newValue, ...entry }: AuditEntry) {
  return {
    ...entry,
    createdAt: new Date(createdAtMs).toISOString(),
    old: oldValue === null ? null : parseJson(oldValue),
    new: newValue === null ? null : parseJson(newValue),
  };
}
