import { Command, Option } from 'commander';
import type { OperatorStore } from '../domain/backend.ts';
import { refusalsOf } from '../domain/operator/usage-history.ts';
import {
  type GroupOfUse,
  reportUsage,
  USAGE_GROUPS,
  type UsageGroup,
} from '../domain/operator/usage-report.ts';
import { formatDay, formatTime, parseSince, SINCE_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';
import type { Columns } from './text.ts';

interface UsageOptions {
  readonly since: string;
  readonly by?: UsageGroup;
}

export function usageCommand(cli: Cli): Command {
  const groups = 'a row for each (default: day, or account if no name is given)';
  return new Command('usage')
    .argument('[name]', 'an account (default: all)')
    .description('show what accounts sent in the past, and what became of it')
    .option('--since <when>', SINCE_FORMS, '30d')
    .addOption(new Option('--by <group>', groups).choices(USAGE_GROUPS))
    .action(
      cli.reads(async (store, name: string | undefined, { since, by: given }: UsageOptions) => {
        const nowMs = platform.now();
        const by = given ?? (name === undefined ? 'account' : 'day');
        const sinceMs = parseSince(since, nowMs);
        const account = name === undefined ? undefined : await store.accounts.getAccount(name);
        const filter = { accountIds: account && [account.id], sinceMs };
        const groups = await reportUsage(store.history.read(filter), by, nowMs);
        const describe = await describer(store, by);
        const rows = groups.map(({ group, ...counts }) => ({ ...describe(group), ...counts }));
        if (rows.length === 0 && !cli.json) {
          return cli.remark(`No requests since ${formatTime(sinceMs)}.`);
        }
        await cli.printTable(rows, columnsOf(by));
      }),
    );
}

interface Row extends Omit<GroupOfUse, 'group'> {
  readonly [field: string]: string | number;
}

/** The fields that say which group a row is about. */
async function describer(
  { accounts }: OperatorStore,
  by: UsageGroup,
): Promise<(group: string | number) => Record<string, string | number>> {
  switch (by) {
    case 'account': {
      const listed = await accounts.listAccounts();
      const names = new Map<unknown, string>(listed.map(({ id, name }) => [id, name]));
      return (group) => ({ account: names.get(group) ?? group });
    }
    case 'key': {
      const listed = await accounts.listKeys();
      const names = new Map<unknown, string>(listed.map((key) => [key.id, key.accountName]));
      return (group) => ({ key: group, account: names.get(group) ?? '' });
    }
    case 'day':
      return (group) => ({ day: formatDay(Number(group)) });
    case 'hour':
      return (group) => ({ hour: formatTime(Number(group)) });
    case 'operation':
      return (group) => ({ operation: group });
  }
}

function columnsOf(by: UsageGroup): Columns<Row> {
  return {
    [by.toUpperCase()]: (row) => String(row[by]),
    ...(by === 'key' ? { ACCOUNT: (row: Row) => String(row['account']) } : {}),
    REQUESTS: ({ requests }) => requests,
    SERVED: ({ served }) => served,
    REFUSED: refusalsOf,
    '4XX': ({ clientErrors }) => clientErrors,
    '5XX': ({ serverErrors }) => serverErrors,
    'PEAK/MIN': ({ busiestMinute }) => busiestMinute,
  };
}
