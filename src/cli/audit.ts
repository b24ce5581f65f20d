import { Command } from 'commander';
import { parseJson } from '../domain/json.ts';
import type { AuditEntry } from '../domain/operator/audit.ts';
import { changeInWords, subjectInWords } from '../domain/operator/change-in-words.ts';
import { parseSince, TIME_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, parseWholeNumber } from './cli.ts';
import { type Columns, formatTable, printable } from './text.ts';

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
          account,
          limit,
        });
        if (
          account !== undefined &&
          entries.length === 0 &&
          (await audit.listChanges({ account, limit: 1 })).length === 0
        ) {
          // Throws if it never existed.
          await accounts.getAccount(account);
        }
        if (cli.json) return await cli.print(entries.map(toJson), []);
        const { columns: width } = cli.io.stdout;
        if (width === undefined) return await cli.printTable(entries, { ...SUMMARY, ...DETAILS });
        const [headings = '', ...rows] = formatTable(SUMMARY, entries, width);
        const lines = rows.flatMap((row, index) => [
          row,
          ...detailLines(entries[index] as AuditEntry, width),
        ]);
        await cli.print(entries, [headings, ...lines]);
      }),
    );
}

const SUMMARY: Columns<AuditEntry> = {
  TIME: ({ createdAtMs }) =>
    new Date(createdAtMs).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'long' }),
  ACTION: ({ action }) => action,
  ABOUT: subjectInWords,
};

const DETAILS: Columns<AuditEntry> = {
  OPERATOR: ({ operator }) => operator,
  COMMAND: ({ command }) => command,
  CHANGE: changeInWords,
};

const INDENT = '    ';

/** A terminal would cut the change, which is the longest part. */
function detailLines(entry: AuditEntry, width: number): string[] {
  const text = printable(`${entry.operator}, ${entry.command}: ${changeInWords(entry)}`);
  const wrapped = Bun.wrapAnsi(text, width - INDENT.length, { hard: true });
  return wrapped.split('\n').map((line) => `${INDENT}${line}`);
}

function toJson({ createdAtMs, oldValue, newValue, ...entry }: AuditEntry) {
  return {
    ...entry,
    createdAt: new Date(createdAtMs).toISOString(),
    old: oldValue === null ? null : parseJson(oldValue),
    new: newValue === null ? null : parseJson(newValue),
  };
}
