import { Command, Option } from 'commander';
import type { Account } from '../domain/account.ts';
import type { OperatorStore } from '../domain/backend.ts';
import type { ListedKey } from '../domain/operator/account-store.ts';
import { OUTCOMES, refusalsOf } from '../domain/operator/usage-history.ts';
import {
  type GroupOfUse,
  reportUsage,
  USAGE_GROUPS,
  type UsageGroup,
} from '../domain/operator/usage-report.ts';
import { formatDay, formatTime, parseSince, SINCE_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';
import { formatCount } from './printable.ts';
import type { Column } from './table.ts';

interface UsageOptions {
  readonly since?: string;
  readonly by?: UsageGroup;
}

/** Hours of a month would fill many screens. */
const SINCE = { hour: '24h', others: '30d' };

export function usageCommand(cli: Cli): Command {
  return new Command('usage')
    .argument('[name]', 'an account (default: all)')
    .description('show what accounts sent in the past, and what became of it')
    .option('--since <when>', `${SINCE_FORMS} (default: ${SINCE.others}, by hour ${SINCE.hour})`)
    .addOption(
      new Option(
        '--by <group>',
        'a row for each (default: day, or account if no name is given)',
      ).choices(USAGE_GROUPS),
    )
    .action(async (name: string | undefined, { since, by: given }: UsageOptions) => {
      const nowMs = platform.now();
      const by = given ?? (name === undefined ? 'account' : 'day');
      const sinceMs = parseSince(since ?? (by === 'hour' ? SINCE.hour : SINCE.others), nowMs);
      await using store = await cli.openStore();
      const account = name === undefined ? undefined : await store.accounts.getAccount(name);
      const filter = { accountIds: account && [account.id], sinceMs };
      const groups = await reportUsage(store.history.read(filter), by, nowMs);
      const describe = await describeGroups(store, by, account);
      const rows = groups.map((group) => ({ ...describe(group), ...countsOf(group) }));
      if (cli.json || rows.length > 0) {
        await cli.printTable(rows, columns(by, rows, cli.io.stdout.isTTY));
      } else await cli.remark(`No requests since ${formatTime(sinceMs)}.`);
    });
}

/** The columns that say which group a row is about. */
const GROUP_FIELDS = {
  account: ['account'],
  day: ['day'],
  hour: ['hour'],
  operation: ['operation'],
  key: ['key', 'account', 'label'],
} as const satisfies Record<UsageGroup, readonly string[]>;

const COUNT_FIELDS = ['requests', ...OUTCOMES, 'busiestMinute'] as const;

type Description = Partial<Record<(typeof GROUP_FIELDS)[UsageGroup][number], string | number>>;
type Counts = Record<(typeof COUNT_FIELDS)[number], number>;
type Row = Description & Counts;

function countsOf(group: GroupOfUse): Counts {
  const counts = COUNT_FIELDS.map((field) => [field, group[field]]);
  return Object.fromEntries(counts);
}

async function describeGroups(
  { accounts }: OperatorStore,
  by: UsageGroup,
  account: Account | undefined,
): Promise<(group: GroupOfUse) => Description> {
  switch (by) {
    case 'account': {
      const all = account === undefined ? await accounts.listAccounts() : [account];
      const names = new Map<unknown, string>(all.map(({ id, name }) => [id, name]));
      return ({ group }) => ({ account: names.get(group) ?? group });
    }
    case 'key': {
      const listed = await accounts.listKeys(account?.name);
      const keys = new Map<unknown, ListedKey>(listed.map((key) => [key.id, key]));
      return ({ group }) => {
        const { accountName = '', label = '' } = keys.get(group) ?? {};
        return { key: group, account: accountName, label };
      };
    }
    case 'day':
      return ({ group }) => ({ day: formatDay(Number(group)) });
    case 'hour':
      return ({ group }) => ({
        hour: `${formatTime(Number(group)).slice(0, 'yyyy-mm-ddThh:mm'.length)}Z`,
      });
    case 'operation':
      return ({ group }) => ({ operation: group });
  }
}

function columns(by: UsageGroup, rows: readonly Row[], hasBars: boolean): Column<Row>[] {
  const number = (heading: string, count: (row: Row) => number): Column<Row> => ({
    heading,
    cell: (row) => formatCount(count(row)),
    align: 'right',
  });
  const bars = barChart(rows.map(({ requests }) => requests));
  return [
    ...GROUP_FIELDS[by].map((field) => ({
      heading: field.toUpperCase(),
      cell: (row: Row) => String(row[field]),
      narrow: 'cut' as const,
    })),
    number('REQUESTS', ({ requests }) => requests),
    // A program that reads the table has no use for a picture.
    ...(hasBars
      ? [{ heading: '', cell: ({ requests }: Row) => bars(requests), narrow: 'leave out' as const }]
      : []),
    number('SERVED', ({ served }) => served),
    number('REFUSED', refusalsOf),
    number('4XX', ({ clientErrors }) => clientErrors),
    number('5XX', ({ serverErrors }) => serverErrors),
    number('PEAK/MIN', ({ busiestMinute }) => busiestMinute),
  ];
}

/** Narrow enough for a table of hours on a terminal with 80 columns. */
const BAR_WIDTH = 12;
/** One to eight eighths of a character. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A function that draws a count as a bar. The largest of all counts is as wide as the column. */
function barChart(counts: readonly number[]): (count: number) => string {
  const most = counts.reduce((most, count) => Math.max(most, count), 1);
  return (count) => {
    // Even the smallest count is visible.
    const eighths = count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR_WIDTH * 8));
    return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
  };
}
