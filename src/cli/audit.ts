import { Command } from 'commander';
import { parseJson } from '../domain/json.ts';
import type { AuditEntry } from '../domain/operator/audit.ts';
import { changeInWords, subjectInWords } from '../domain/operator/change-in-words.ts';
import { formatTime, parseSince, TIME_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, parseWholeNumber } from './cli.ts';

interface AuditOptions {
  readonly since?: string;
  readonly account?: string;
  readonly limit?: number;
}

export function command(cli: Cli): Command {
  return new Command('audit')
    .description('list the changes of operators, the newest first')
    .option('--since <when>', TIME_FORMS)
    .option('--account <name>', 'only of this account and its keys')
    .option('--limit <n>', 'at most this many', parseWholeNumber)
    .action(
      cli.withStore(async ({ accounts, audit }, { since, account, limit }: AuditOptions) => {
        const entries = await audit.listChanges({
          sinceMs: since === undefined ? undefined : parseSince(since, platform.now()),
          accountId: account === undefined ? undefined : (await accounts.getAccount(account)).id,
          limit,
        });
        if (cli.json) return await cli.print(entries.map(toJson), []);
        await cli.printTable(entries, {
          TIME: ({ createdAtMs }) => formatTime(createdAtMs),
          ACTION: ({ action }) => action,
          ABOUT: subjectInWords,
          OPERATOR: ({ operator }) => operator,
          COMMAND: ({ command }) => command,
          CHANGE: changeInWords,
        });
      }),
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
