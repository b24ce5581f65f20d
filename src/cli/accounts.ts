import { Command } from 'commander';
import { type Account, parseAccountName, parseReason } from '../domain/account.ts';
import { keyState } from '../domain/api-key.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { readWindows } from '../domain/operator/limiter-counts.ts';
import { accountJson } from '../domain/operator/operator-json.ts';
import { limitsFor, PLAN_NAMES, PLANS, parsePlan } from '../domain/plan.ts';
import { formatTime } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { readCounts, warnUnknown } from '../service/limiter-counts.ts';
import { parseWholeNumber } from './arguments.ts';
import { nextCommand } from './next-command.ts';
import { openForCommand } from './open-store.ts';
import { formatCount, type JsonOption, print, printChange } from './output.ts';
import { describePreview, previewForAccount } from './plan-preview.ts';
import { printTable } from './table.ts';
import { usageCommand } from './usage.ts';

interface PlanOptions extends JsonOption {
  readonly plan: string;
  readonly perMinute?: number;
  readonly perDay?: number;
}

interface SetPlanOptions extends PlanOptions {
  readonly dryRun?: boolean;
}

export function accountsCommand(): Command {
  const command = new Command('accounts').description('create accounts and set their plans');

  withPlanOptions(command.command('create'))
    .argument('<name>', 'the name of the account')
    .description('create an account; then create a key for it')
    .action(async (name: string, { plan: planName, json, ...custom }: PlanOptions) => {
      const plan = parsePlan(planName);
      const newAccount = {
        name: parseAccountName(name),
        plan,
        limits: limitsFor(plan, custom),
        nowMs: platform.now(),
      };
      await using store = await openForCommand();
      const account = await store.accounts.createAccount(newAccount);
      await printChange(store, json, accountJson(account), [
        `Created ${describe(account)}.`,
        `Next, create a key: ${nextCommand('keys', 'create', account.name)}`,
      ]);
    });

  command
    .command('list')
    .description('list all accounts, their state and how much of their limits they have used')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      await using store = await openForCommand();
      const { rows, note } = await withUsage(store, await store.accounts.listAccounts());
      await printTable(json, rows, [
        { heading: 'NAME', cell: ({ name }) => name, narrow: 'cut' },
        { heading: 'PLAN', cell: ({ plan }) => PLANS[plan].title },
        {
          heading: 'STATE',
          cell: ({ state }) => state,
          color: ({ state }) => (state === 'suspended' ? 'red' : undefined),
        },
        { heading: 'THIS MINUTE', cell: (row) => shareOf(row, 'minute'), align: 'right' },
        { heading: 'TODAY (UTC)', cell: (row) => shareOf(row, 'day'), align: 'right' },
        { heading: 'CREATED', cell: ({ createdAt }) => createdAt, narrow: 'leave out' },
      ]);
      warnUnknown(json, note);
    });

  command
    .command('show')
    .argument('<name>', 'the account')
    .description('show everything about an account')
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: JsonOption) => {
      await using store = await openForCommand();
      const account = await store.accounts.getAccount(name);
      const { rows, note } = await withUsage(store, [account]);
      const [row] = rows as [WithUsage];
      const listed = await store.accounts.listKeys(name);
      const nowMs = row.testTime === undefined ? platform.now() : Date.parse(row.testTime);
      const ended = listed.filter((key) => keyState(key, nowMs) !== 'active').length;
      const keys = { total: listed.length, ended };
      await print(json, { ...row, keys }, detailLines({ ...row, keys }));
      warnUnknown(json, note);
    });

  withPlanOptions(command.command('set-plan'))
    .argument('<name>', 'the account')
    .description('move an account to another plan; takes effect within a second')
    .option('--dry-run', 'show what the limits would have refused, and change nothing')
    .action(async (name: string, { plan: planName, json, dryRun, ...custom }: SetPlanOptions) => {
      const plan = parsePlan(planName);
      const limits = limitsFor(plan, custom);
      await using store = await openForCommand();
      const before = await store.accounts.getAccount(name);
      const preview = await previewForAccount(store, before.id, limits);
      if (dryRun) {
        const shown = { ...accountJson({ ...before, plan, limits }), preview, isDryRun: true };
        await print(json, shown, [describePreview(name, preview), 'Nothing was changed.']);
        return;
      }
      const account = await store.accounts.setPlan(name, plan, limits);
      await printChange(store, json, { ...accountJson(account), preview }, [
        `Moved ${describe(account, 'to')}.`,
        describePreview(name, preview),
      ]);
    });

  command
    .command('rename')
    .argument('<name>', 'the account')
    .argument('<new-name>', 'its new name')
    .description('rename an account; its keys, counts and bans stay as they are')
    .option('--json', 'print JSON')
    .action(async (name: string, newName: string, { json }: JsonOption) => {
      const parsed = parseAccountName(newName);
      await using store = await openForCommand();
      const account = await store.accounts.renameAccount(name, parsed);
      await printChange(store, json, accountJson(account), [
        `Renamed account "${name}" to "${account.name}".`,
      ]);
    });

  command
    .command('suspend')
    .argument('<name>', 'the account')
    .description('refuse all keys of an account until it is resumed; takes effect within a second')
    .option('--reason <text>', 'a note for operators, which callers do not see')
    .option('--json', 'print JSON')
    .action(async (name: string, { reason, json }: JsonOption & { reason?: string }) => {
      const suspension = { reason: reason && parseReason(reason), nowMs: platform.now() };
      await using store = await openForCommand();
      const before = await store.accounts.getAccount(name);
      const account = await store.accounts.suspendAccount(name, suspension);
      await printChange(store, json, accountJson(account), [
        before.suspendedAtMs === null
          ? `Suspended account "${name}". Its keys get 401 account_suspended.`
          : `Account "${name}" was already suspended, since ${formatTime(before.suspendedAtMs)}.`,
        `To end this: ${nextCommand('accounts', 'resume', name)}`,
      ]);
    });

  command
    .command('resume')
    .argument('<name>', 'the account')
    .description('accept the keys of a suspended account again; takes effect within a second')
    .option('--json', 'print JSON')
    .action(async (name: string, { json }: JsonOption) => {
      await using store = await openForCommand();
      const before = await store.accounts.getAccount(name);
      const account = await store.accounts.resumeAccount(name);
      await printChange(store, json, accountJson(account), [
        before.suspendedAtMs === null
          ? `Account "${name}" was not suspended.`
          : `Resumed account "${name}". Its keys work again.`,
      ]);
    });

  command.addCommand(usageCommand());

  return command;
}

function withPlanOptions(command: Command): Command {
  // The error for a missing option shows this text, so it lists what is allowed.
  return command
    .requiredOption(`--plan <${PLAN_NAMES.join('|')}>`, 'the limits of the account')
    .option('--per-minute <n>', 'requests per minute (enterprise only)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (enterprise only)', parseWholeNumber)
    .option('--json', 'print JSON');
}

/** Accounts as JSON, with usage where it is known and a note where it is not. */
async function withUsage(store: OperatorStore, accounts: readonly Account[]) {
  const nowMs = platform.now();
  const { known, unknown } = await readCounts(store, accounts, (account, reader) =>
    readWindows(reader, account, nowMs),
  );
  const note = unknown === undefined ? undefined : `Usage is not known. ${unknown}`;
  const rows = accounts.map((account, index) => {
    const usage = known?.[index] ?? null;
    const testTime = testTimeOf(account, nowMs);
    return { ...accountJson(account), ...testTime, usage, ...(note !== undefined && { note }) };
  });
  return { rows, note };
}

/** Nothing for an account in real time. */
function testTimeOf({ clockOffsetMs }: Account, nowMs: number): { testTime?: string } {
  return clockOffsetMs === 0 ? {} : { testTime: formatTime(nowMs + clockOffsetMs) };
}

type WithUsage = Awaited<ReturnType<typeof withUsage>>['rows'][number];

function detailLines(row: WithUsage & { keys: { total: number; ended: number } }): string[] {
  const details = {
    Account: row.name,
    Plan: PLANS[row.plan].title,
    State: row.suspendedAt === null ? row.state : `suspended since ${row.suspendedAt}`,
    ...(row.suspensionReason !== null && { Reason: row.suspensionReason }),
    ...(row.testTime !== undefined && { 'Test time': row.testTime }),
    'This minute': shareOf(row, 'minute'),
    'Today (UTC)': shareOf(row, 'day'),
    Keys:
      row.keys.total === 0
        ? 'none'
        : `${row.keys.total}, of which ${row.keys.ended} expired or revoked`,
    Created: row.createdAt,
  };
  return Object.entries(details).map(([label, value]) => `${`${label}:`.padEnd(13)}${value}`);
}

function shareOf({ usage, perMinute, perDay }: WithUsage, window: 'minute' | 'day'): string {
  const limit = window === 'minute' ? perMinute : perDay;
  return usage === null ? `? of ${formatCount(limit)}` : share(usage[window]);
}

function share({ used, limit }: { used: number; limit: number }): string {
  return `${formatCount(used)} of ${formatCount(limit)}`;
}

function describe(
  { name, plan, limits: { perMinute, perDay } }: Account,
  preposition = 'on',
): string {
  const limits = `${formatCount(perMinute)} requests per minute, ${formatCount(perDay)} per day`;
  return `account "${name}" ${preposition} the ${PLANS[plan].title} plan (${limits})`;
}
