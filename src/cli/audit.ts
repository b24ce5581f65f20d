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
    .description(
      'list what operators have changed, by commands and in the console; the newest first',
    )
    .option('--since <when>', TIME_FORMS)
    .option('--account <name>', 'only changes of this account and of its keys')
    .option('--limit <n>', 'at most this many (default: 50, with --json all)', parseWholeNumber)
    .action(
      cli.withStore(async ({ accounts, audit }, { since, account, limit }: AuditOptions) => {
        const shown = limit ?? (cli.json ? Number.MAX_SAFE_INTEGER : 50);
        const found = await audit.listChanges({
          sinceMs: since === undefined ? undefined : parseSince(since, platform.now()),
          accountId: account === undefined ? undefined : (await accounts.getAccount(account)).id,
          // One more shows that there are more.
          limit: shown + 1,
        });
        const entries = found.slice(0, shown);
        if (cli.json) return await cli.print(entries.map(toJson), []);
        await cli.printTable(entries, {
          TIME: ({ createdAtMs }) => formatTime(createdAtMs),
          ACTION: ({ action }) => action,
          ABOUT: subjectInWords,
          OPERATOR: ({ operator }) => operator,
          COMMAND: ({ command }) => command,
          CHANGE: changeInWords,
        });
        if (found.length > shown) {
          await cli.remark(`These are the newest ${shown}. To see more, set --limit.`);
        }
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
