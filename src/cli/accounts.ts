import { Option } from 'commander';
import { type Account, accountSubject, parseAccountName, parseNote } from '../domain/account.ts';
import type { OperatorStore } from '../domain/backend.ts';
import {
  type GroupOfUse,
  HISTORY_GROUPS,
  type HistoryGroup,
  refusalsOf,
  reportHistory,
  startOfRecentDays,
} from '../domain/operator/history.ts';
import { readWindows } from '../domain/operator/limiter-counts.ts';
import { accountJson } from '../domain/operator/operator-json.ts';
import { previewAccount } from '../domain/operator/plan-preview.ts';
import { type Limits, limitsFor, PLAN_NAMES, PLANS, type Plan, parsePlan } from '../domain/plan.ts';
import { formatDay, formatTime, parseSince, TIME_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, type CliCommand, parseWholeNumber } from './cli.ts';
import { describeNewKey, newSecret } from './keys.ts';
import { withCounts } from './limiter-counts.ts';
import { describePreview } from './plans.ts';
import { type Columns, formatCount, formatTable, plural } from './text.ts';

interface UsageOptions {
  readonly since: string;
  readonly by?: HistoryGroup;
}

interface CreateOptions extends PlanOptions {
  readonly key?: true;
}

interface PlanOptions extends Partial<Limits> {
  readonly plan: Plan;
  readonly dryRun?: boolean;
}

export function define(group: CliCommand, cli: Cli): void {
  group.description('create accounts and set their plans; a change takes effect within a second');

  withPlanOptions(group.command('create <name>'))
    .description('create an account')
    .option('--key', 'also create its first key; the secret is shown only once')
    .changes(async (store, name: string, { plan, key, ...limits }: CreateOptions) => {
      const newKey = key && { label: '', secret: await newSecret(store), expiresAtMs: null };
      const account = await store.accounts.createAccount({
        name: parseAccountName(name),
        plan,
        limits: limitsFor(plan, limits),
        nowMs: platform.now(),
        firstKey: newKey,
      });
      const { firstKey } = account;
      const [createdKey, ...lines] =
        firstKey && newKey
          ? describeNewKey(firstKey, newKey.secret)
          : [undefined, 'Next, create a key with "keys create".'];
      return [
        { ...accountJson(account), key: createdKey },
        `Created ${describe(account)}.`,
        ...lines,
      ];
    });

  group
    .command('list')
    .description('list all accounts with their state and usage')
    .withStore(async (store) => {
      const rows = await withWindows(cli, store, await store.accounts.listAccounts());
      await cli.printTable(rows, COLUMNS);
      await cli.remark(rows[0]?.note);
    });

  group
    .command('show <name>')
    .description('show an account with its state and usage')
    .withStore(async (store, name: string) => {
      const account = await store.accounts.getAccount(name);
      const [shown] = (await withWindows(cli, store, [account])) as [AccountWithWindows];
      const lines = Object.entries(DETAILS)
        .map(([heading, cellOf]) => [`${heading}:`.padEnd(13), cellOf(shown)])
        .filter(([, text]) => text !== '')
        .map((cells) => cells.join(''));
      await cli.print(shown, lines);
      await cli.remark(shown.note);
    });

  withPlanOptions(group.command('set-plan <name>'))
    .description('move an account to another plan')
    .option('--dry-run', 'only show what would have been refused')
    .withStore(async (store, name: string, options: PlanOptions) => {
      const { plan, dryRun } = options;
      const limits = limitsFor(plan, options);
      const { id } = await store.accounts.getAccount(name);
      const preview = await previewAccount(store.history, id, limits, platform.now());
      const { since, requests, refused } = preview;
      const past = `${describePreview(since, requests, refused)}.`;
      if (dryRun) return cli.print({ preview }, [past, 'Nothing was changed.']);
      const account = await store.accounts.setPlan(name, plan, limits);
      const moved = `Moved ${describe(account, 'to')}.`;
      await cli.printChange([{ ...accountJson(account), preview }, moved, past]);
    });

  group
    .command('rename <name> <new-name>')
    .description('rename an account')
    .changes(async ({ accounts }, name: string, newName: string) => {
      const account = await accounts.renameAccount(name, parseAccountName(newName));
      return [accountJson(account), `Renamed account "${name}" to "${account.name}".`];
    });

  group
    .command('suspend <name>')
    .description('refuse all keys of an account')
    .option('--reason <text>', 'a note that callers do not see', parseNote)
    .option('--yes', 'do not ask')
    .changes(async ({ accounts }, name: string, { reason }: { reason?: string }) => {
      const { suspendedAtMs } = await accounts.getAccount(name);
      if (suspendedAtMs === null) await cli.confirm(`Refuse all keys of account "${name}"?`);
      const suspension = { reason, nowMs: platform.now() };
      const account = accountJson(await accounts.suspendAccount(name, suspension));
      return [
        account,
        `Account "${name}" is suspended since ${account.suspendedAt}.`,
        'Its keys get 401 account_suspended until you use "accounts resume".',
      ];
    });

  group
    .command('resume <name>')
    .description('accept the keys of a suspended account again')
    .changes(async ({ accounts }, name: string) => {
      const account = await accounts.resumeAccount(name);
      return [accountJson(account), `Account "${name}" is active. Its keys work.`];
    });

  group
    .command('remove <name>')
    .description('remove an account for good, with its keys, counts and usage')
    .option('--yes', 'do not ask')
    .changes(async (store, name: string) => {
      const keys = await store.accounts.listKeys(name);
      const what = `account "${name}" with ${plural(keys.length, 'key')} and its usage`;
      await cli.confirm(`Remove ${what} for good?`);
      const account = await store.accounts.removeAccount(name);
      const keyIds = keys.map(({ id }) => id);
      const { note } = await withCounts(cli, store, [account], (removed, counts) =>
        counts.removeCounts(accountSubject(removed), keyIds),
      );
      await cli.remark(note && `Its counts expire within three days. ${note}`);
      return [accountJson(account), `Removed ${what}. The audit keeps its changes.`];
    });

  const groups = 'a row for each (default: day, or account without a name)';
  group
    .command('usage [name]')
    .description('show past requests and their outcomes')
    .option('--since <when>', TIME_FORMS, formatDay(startOfRecentDays(platform.now())))
    .addOption(new Option('--by <group>', groups).choices(HISTORY_GROUPS))
    .withStore(async (store, name: string | undefined, { since, by: given }: UsageOptions) => {
      const nowMs = platform.now();
      const by = given ?? (name === undefined ? 'account' : 'day');
      const sinceMs = parseSince(since, nowMs);
      const account = name === undefined ? undefined : await store.accounts.getAccount(name);
      const periods = store.history.read({ accountId: account?.id, sinceMs });
      const groups = await reportHistory(periods, by, nowMs);
      const names = await namesFor(store, by);
      const rows: Row[] = groups.map(({ group, ...counts }) => ({
        [by]: FORMATS[by]?.(Number(group)) ?? group,
        ...(names && { account: names.get(Number(group)) ?? '' }),
        ...counts,
      }));
      const none = `No requests since ${formatTime(sinceMs)}. A new one is counted within 5 seconds.`;
      await cli.print(rows, rows.length === 0 ? [none] : formatTable(columnsOf(by), rows));
    });
}

function withPlanOptions(command: CliCommand): CliCommand {
  return command
    .requiredOption(`--plan <${PLAN_NAMES.join('|')}>`, 'the limits of the account', parsePlan)
    .option('--per-minute <n>', 'requests per minute (enterprise only)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (enterprise only)', parseWholeNumber);
}

/** Accounts as JSON, with usage where it is known and a note where it is not. */
async function withWindows(cli: Cli, store: OperatorStore, accounts: readonly Account[]) {
  const nowMs = platform.now();
  const { known, note } = await withCounts(cli, store, accounts, (account, reader) =>
    readWindows(reader, account, nowMs),
  );
  return accounts.map((account, index) => {
    const { clockOffsetMs } = account;
    return {
      ...accountJson(account),
      testTime: clockOffsetMs === 0 ? undefined : formatTime(nowMs + clockOffsetMs),
      usage: known?.[index] ?? null,
      note,
    };
  });
}

type AccountWithWindows = Awaited<ReturnType<typeof withWindows>>[number];

const COLUMNS: Record<string, (account: AccountWithWindows) => string> = {
  NAME: ({ name }) => name,
  PLAN: ({ plan }) => PLANS[plan].title,
  STATE: ({ state, suspendedAt }) =>
    suspendedAt === null ? state : `suspended since ${suspendedAt}`,
  'THIS MINUTE': ({ usage, perMinute }) => usedOf(usage?.minute.used, perMinute),
  'TODAY (UTC)': ({ usage, perDay }) => usedOf(usage?.day.used, perDay),
  CREATED: ({ createdAt }) => createdAt,
};

/** Left out where an account has none. */
const DETAILS: typeof COLUMNS = {
  ...COLUMNS,
  REASON: ({ suspensionReason }) => suspensionReason ?? '',
  'TEST TIME': ({ testTime }) => testTime ?? '',
};

function usedOf(used: number | undefined, limit: number): string {
  return `${used === undefined ? '?' : formatCount(used)} of ${formatCount(limit)}`;
}

function describe({ name, plan, limits }: Account, preposition = 'on'): string {
  const perMinute = `${plural(limits.perMinute, 'request')} per minute`;
  const perDay = `${formatCount(limits.perDay)} per day`;
  return `account "${name}" ${preposition} the ${PLANS[plan].title} plan (${perMinute}, ${perDay})`;
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

interface Row extends Omit<GroupOfUse, 'group'> {
  readonly [field: string]: string | number;
}

function columnsOf(by: HistoryGroup): Columns<Row> {
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
