import { type Account, accountSubject, parseAccountName, parseNote } from '#domain/account.ts';
import {
  ACCOUNT_STATES,
  type AccountFilter,
  matchesFilter,
} from '#domain/operator/account-store.ts';
import {
  HISTORY_GROUPS,
  type HistoryGroup,
  refusalsOf,
  reportHistory,
  startOfRecentDays,
  type UsageGroup,
} from '#domain/operator/history.ts';
import { accountJson, countBans, readWindows } from '#domain/operator/operator-json.ts';
import { previewAccount } from '#domain/operator/plan-preview.ts';
import { type Limits, limitsFor, PLAN_NAMES, PLANS, type Plan, parsePlan } from '#domain/plan.ts';
import { formatDay, formatTime, parseSince, TIME_FORMS } from '#domain/time-text.ts';
import { platform } from '#platform.ts';
import type { CliCommand, PrintedChange, Run } from './cli.ts';
import { describeNewKey, newSecret } from './keys.ts';
import { withCounts } from './limiter-counts.ts';
import { describePreview } from './plans.ts';
import { printRequests } from './requests.ts';
import { type Columns, formatCount, formatTable, plural } from './text.ts';

interface PlanOptions extends Partial<Limits> {
  readonly plan: Plan;
  readonly key?: true;
  readonly dryRun?: boolean;
}

export function define(group: CliCommand): void {
  group.description('create accounts and set their plans; a change takes effect within a second');
  withPlanOptions(group.changes('create <name>', 'create an account', create)).option(
    '--key',
    'also create its first key; the secret is shown only once',
  );
  group
    .reads('list', 'list accounts with their state and usage', list)
    .option('--search <text>', 'only those with this text in their name')
    .choice('--plan <name>', 'only those on this plan', PLAN_NAMES)
    .choice(
      '--state <name>',
      'only these; "banned" have a banned key',
      Object.keys(ACCOUNT_STATES),
    );
  group.reads('show <name>', 'show an account with its state and usage', show);
  // With --dry-run, this command only reads, so it prints its result itself.
  withPlanOptions(
    group.reads('set-plan <name>', 'move an account to another plan', setPlan),
  ).option('--dry-run', 'only show what would have been refused');
  group.changes(
    'rename <name> <new-name>',
    'rename an account',
    async ({ store }, name: string, newName: string) => {
      const account = await store.accounts.renameAccount(name, parseAccountName(newName));
      return [accountJson(account), `Renamed account "${name}" to "${account.name}".`];
    },
  );
  group
    .changes('suspend <name>', 'refuse all keys of an account', suspend)
    .option('--reason <text>', 'a note that callers do not see', parseNote)
    .asks();
  group.changes(
    'resume <name>',
    'accept the keys of a suspended account again',
    async ({ store }, name: string) => {
      const account = await store.accounts.resumeAccount(name);
      return [accountJson(account), `Account "${name}" is active. Its keys work.`];
    },
  );
  group
    .changes('remove <name>', 'remove an account for good, with its keys, counts and usage', remove)
    .asks();
  const rows = 'one row for each (default: day, or account if no name is given)';
  group
    .reads('usage [name]', 'show past requests and their outcomes', showUsage)
    .option('--since <when>', TIME_FORMS, formatDay(startOfRecentDays(platform.now())))
    .choice('--by <group>', rows, HISTORY_GROUPS);
  group.reads(
    'requests <name>',
    'ask the running service for the failed requests of an account',
    async ({ cli, store }, name: string) => {
      // Throws if the name is misspelled.
      await store.accounts.getAccount(name);
      await printRequests(cli, { account: name });
    },
  );
}

function withPlanOptions(command: CliCommand): CliCommand {
  return command
    .requiredOption(`--plan <${PLAN_NAMES.join('|')}>`, 'the limits of the account', parsePlan)
    .limits('enterprise only');
}

async function create({ store }: Run, name: string, options: PlanOptions): Promise<PrintedChange> {
  const { plan, key } = options;
  const newKey = key && { label: '', secret: await newSecret(store), expiresAtMs: null };
  const { firstKey, ...account } = await store.accounts.createAccount({
    name: parseAccountName(name),
    plan,
    limits: limitsFor(plan, options),
    firstKey: newKey,
  });
  const [createdKey, ...lines] =
    firstKey && newKey
      ? describeNewKey(firstKey, newKey.secret)
      : [undefined, 'Next, create a key with "keys create".'];
  return [{ ...accountJson(account), key: createdKey }, `Created ${describe(account)}.`, ...lines];
}

async function list(run: Run, filter: AccountFilter): Promise<void> {
  const accounts = await run.store.accounts.listAccounts();
  const found = accounts.filter((account) => matchesFilter(account, filter));
  const rows = await withUse(run, found);
  const shown = rows.filter(({ bannedKeys }) => filter.state !== 'banned' || bannedKeys !== 0);
  await run.cli.printTable(shown, COLUMNS);
  await run.cli.remark(rows[0]?.note);
}

async function show(run: Run, name: string): Promise<void> {
  const account = await run.store.accounts.getAccount(name);
  const [shown] = (await withUse(run, [account], account.id)) as [AccountWithUse];
  const lines = Object.entries(DETAILS).flatMap(([heading, cellOf]) => {
    const text = cellOf(shown);
    return text === '' ? [] : [`${heading}:`.padEnd(13) + text];
  });
  await run.cli.print(shown, lines);
  await run.cli.remark(shown.note);
}

async function setPlan({ cli, store }: Run, name: string, options: PlanOptions): Promise<void> {
  const { plan, dryRun } = options;
  const limits = limitsFor(plan, options);
  const { id } = await store.accounts.getAccount(name);
  // This only informs the operator: the change does not depend on it.
  const preview = await previewAccount(store.history, id, limits, platform.now());
  const past = `${describePreview(preview)}.`;
  if (dryRun) return cli.print({ preview }, [past, 'Nothing was changed.']);
  const account = await store.accounts.setPlan(name, plan, limits);
  const moved = `Moved ${describe(account, 'to')}.`;
  await cli.printChange([{ ...accountJson(account), preview }, moved, past]);
}

async function suspend(
  { cli, store: { accounts } }: Run,
  name: string,
  { reason }: { reason?: string },
): Promise<PrintedChange> {
  const { suspendedAtMs } = await accounts.getAccount(name);
  if (suspendedAtMs === null) await cli.confirm(`Refuse all keys of account "${name}"?`);
  const account = accountJson(await accounts.suspendAccount(name, reason));
  return [
    account,
    `Account "${name}" has been suspended since ${account.suspendedAt}.`,
    'Its keys get 401 account_suspended until you use "accounts resume".',
  ];
}

async function remove(run: Run, name: string): Promise<PrintedChange> {
  const { cli, store } = run;
  const { id: accountId } = await store.accounts.getAccount(name);
  const keys = await store.accounts.listKeys([accountId]);
  const what = `account "${name}" with ${plural(keys.length, 'key')} and its usage`;
  await cli.confirm(`Remove ${what} for good?`);
  const account = await store.accounts.removeAccount(name);
  await store.accounts.finishRemovals(cli.showProgress);
  const keyIds = keys.map(({ id }) => id);
  const { note } = await withCounts(run, [account], (removed, counts) =>
    counts.removeCounts(accountSubject(removed), keyIds),
  );
  await cli.remark(note && `Its counts expire within three days. ${note}`);
  return [accountJson(account), `Removed ${what}. The audit keeps its changes.`];
}

/** Accounts as JSON with their usage and bans, or with a note that says why these are unknown. */
async function withUse(run: Run, accounts: readonly Account[], accountId?: number) {
  const nowMs = platform.now();
  const search = run.store.accounts.searchKeys({ accountId, filter: 'banned' });
  const suspects = (await Array.fromAsync(search)).flat();
  const byAccount = Map.groupBy(suspects, (key) => key.accountId);
  const { known, note } = await withCounts(run, accounts, async (account, reader) => ({
    usage: await readWindows(reader, account, nowMs),
    bannedKeys: await countBans(reader, byAccount.get(account.id) ?? [], nowMs),
  }));
  return accounts.map((account, index) => {
    const { clockOffsetMs } = account;
    const unknown = { usage: null, bannedKeys: byAccount.has(account.id) ? null : 0 };
    return {
      ...accountJson(account),
      testTime: clockOffsetMs === 0 ? undefined : formatTime(nowMs + clockOffsetMs),
      ...(known?.[index] ?? unknown),
      note,
    };
  });
}

type AccountWithUse = Awaited<ReturnType<typeof withUse>>[number];

const COLUMNS: Record<string, (account: AccountWithUse) => string> = {
  NAME: ({ name }) => name,
  PLAN: ({ plan }) => PLANS[plan].title,
  STATE: ({ state, suspendedAt, bannedKeys }) => {
    if (suspendedAt !== null) return `suspended since ${suspendedAt}`;
    if (bannedKeys === null) return `${state}?`;
    return bannedKeys === 0 ? state : `${state}, ${plural(bannedKeys, 'key')} banned`;
  },
  'THIS MINUTE': ({ usage, perMinute }) => usedOf(usage?.minute.used, perMinute),
  'TODAY (UTC)': ({ usage, perDay }) => usedOf(usage?.day.used, perDay),
  CREATED: ({ createdAt }) => createdAt,
};

/** Empty details are left out. */
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

interface UsageOptions {
  readonly since: string;
  readonly by?: HistoryGroup;
}

interface UsageRow extends Omit<UsageGroup, 'group'> {
  readonly [field: string]: string | number;
}

async function showUsage(
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
  const columns: Columns<UsageRow> = {
    [by.toUpperCase()]: (row) => String(row[by]),
    ...(by === 'key' && { ACCOUNT: 'account' }),
    REQUESTS: 'requests',
    SERVED: 'served',
    REFUSED: refusalsOf,
    '4XX': 'clientErrors',
    '5XX': 'serverErrors',
    'PEAK/MIN': 'busiestMinute',
  };
  const none = `No requests since ${formatTime(sinceMs)}. New requests appear within 5 seconds.`;
  await cli.print(rows, rows.length === 0 ? [none] : formatTable(columns, rows));
}

/** The names of accounts, by the ids of accounts or keys. Undefined for other groups. */
async function namesFor({ accounts }: Run['store'], by: HistoryGroup) {
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
