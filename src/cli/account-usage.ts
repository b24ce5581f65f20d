import type { OperatorStore } from '../domain/backend.ts';
import {
  type HistoryGroup,
  refusalsOf,
  reportHistory,
  type UsageGroup,
} from '../domain/operator/history.ts';
import { formatDay, formatTime, parseSince } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Run } from './cli.ts';
import { type Columns, formatTable } from './text.ts';

interface UsageOptions {
  readonly since: string;
  readonly by?: HistoryGroup;
}

interface UsageRow extends Omit<UsageGroup, 'group'> {
  readonly [field: string]: string | number;
}

/** The action of "accounts usage". */
export async function showUsage(
  { cli, store }: Run,
  name: string | undefined,
  { since, by = name === undefined ? 'account' : 'day' }: UsageOptions,
): Promise<void> {
  const nowMs = platform.now();
  const sinceMs = parseSince(since, nowMs);
  const account = name === undefined ? undefined : await store.accounts.getAccount(name);
  const periods = store.history.read({ accountId: account?.id, sinceMs });
  const groups = await reportHistory(periods, by, nowMs);
  const names = await namesFor(store, by);
  const rows: UsageRow[] = groups.map(({ group, ...counts }) => ({
    [by]: FORMATS[by]?.(Number(group)) ?? group,
    ...(names && { account: names.get(Number(group)) ?? '' }),
    ...counts,
  }));
  const none = `No requests since ${formatTime(sinceMs)}. New requests appear within 5 seconds.`;
  await cli.print(rows, rows.length === 0 ? [none] : formatTable(columnsOf(by), rows));
}

/** The names of accounts, by the ids of accounts or keys. Undefined for other groups. */
async function namesFor({ accounts }: OperatorStore, by: HistoryGroup) {
  if (by === 'account') {
    return new Map((await accounts.listAccounts()).map(({ id, name }) => [id, name]));
  }
  if (by !== 'key') return undefined;
  return new Map((await accounts.listKeys()).map(({ id, accountName }) => [id, accountName]));
}

const FORMATS: Partial<Record<HistoryGroup, (ms: number) => string>> = {
  day: formatDay,
  hour: formatTime,
};

function columnsOf(by: HistoryGroup): Columns<UsageRow> {
  return {
    [by.toUpperCase()]: (row) => String(row[by]),
    ...(by === 'key' && { ACCOUNT: 'account' }),
    REQUESTS: 'requests',
    SERVED: 'served',
    REFUSED: refusalsOf,
    '4XX': 'clientErrors',
    '5XX': 'serverErrors',
    'PEAK/MIN': 'busiestMinute',
  };
}
