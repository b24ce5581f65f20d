import { Command } from 'commander';
import { type Account, parseAccountName, parseReason } from '../domain/account.ts';
import { keyState } from '../domain/api-key.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { readWindows } from '../domain/operator/limiter-counts.ts';
import { accountJson } from '../domain/operator/operator-json.ts';
import { type Limits, limitsFor, PLAN_NAMES, PLANS, type Plan, parsePlan } from '../domain/plan.ts';
import { formatTime } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, parseWholeNumber } from './cli.ts';
import { printNote, readCounts } from './limiter-counts.ts';
import { describePreview, previewForAccount } from './plan-preview.ts';
import { formatCount } from './printable.ts';
import { usageCommand } from './usage.ts';

interface PlanOptions extends Partial<Limits> {
  readonly plan: Plan;
  readonly dryRun?: boolean;
}

export function accountsCommand(cli: Cli): Command {
  const command = new Command('accounts').description('create accounts and set their plans');

  withPlanOptions(command.command('create'))
    .argument('<name>', 'the name of the account', parseAccountName)
    .description('create an account; then create a key for it')
    .action(async (name: string, { plan, ...custom }: PlanOptions) => {
      const limits = limitsFor(plan, custom);
      await using store = await cli.openStore();
      const account = await store.accounts.createAccount({
        name,
        plan,
        limits,
        nowMs: platform.now(),
      });
      await cli.printChange(store, accountJson(account), [
        `Created ${describe(account)}.`,
        'Next, create a key with "keys create".',
      ]);
    });

  command
    .command('list')
    .description('list all accounts, their state and how much of their limits they have used')
    .action(async () => {
      await using store = await cli.openStore();
      const { rows, note } = await withUsage(cli, store, await store.accounts.listAccounts());
      await cli.printTable(rows, [
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
      await printNote(cli, note);
    });

  command
    .command('show')
    .argument('<name>', 'the account')
    .description('show everything about an account')
    .action(async (name: string) => {
      await using store = await cli.openStore();
      const account = await store.accounts.getAccount(name);
      const { rows, note } = await withUsage(cli, store, [account]);
      const [row] = rows as [WithUsage];
      const keys = await store.accounts.listKeys(name);
      const nowMs = row.testTime === undefined ? platform.now() : Date.parse(row.testTime);
      const ended = keys.filter((key) => keyState(key, nowMs) !== 'active').length;
      const shown = { ...row, keys: { total: keys.length, ended } };
      await cli.print(shown, detailLines(shown));
      await printNote(cli, note);
    });

  withPlanOptions(command.command('set-plan'))
    .argument('<name>', 'the account')
    .description('move an account to another plan; takes effect within a second')
    .option('--dry-run', 'show what the limits would have refused, and change nothing')
    .action(async (name: string, { plan, dryRun, ...custom }: PlanOptions) => {
      const limits = limitsFor(plan, custom);
      await using store = await cli.openStore();
      const before = await store.accounts.getAccount(name);
      const preview = await previewForAccount(store, before.id, limits);
      if (dryRun) {
        const shown = { ...accountJson({ ...before, plan, limits }), preview, isDryRun: true };
        await cli.print(shown, [describePreview(name, preview), 'Nothing was changed.']);
        return;
      }
      const account = await store.accounts.setPlan(name, plan, limits);
      await cli.printChange(store, { ...accountJson(account), preview }, [
        `Moved ${describe(account, 'to')}.`,
        describePreview(name, preview),
      ]);
    });

  command
    .command('rename')
    .argument('<name>', 'the account')
    .argument('<new-name>', 'its new name', parseAccountName)
    .description('rename an account; its keys, counts and bans stay as they are')
    .action(async (name: string, newName: string) => {
      await using store = await cli.openStore();
      const account = await store.accounts.renameAccount(name, newName);
      await cli.printChange(store, accountJson(account), [
        `Renamed account "${name}" to "${account.name}".`,
      ]);
    });

  command
    .command('suspend')
    .argument('<name>', 'the account')
    .description('refuse all keys of an account until it is resumed; takes effect within a second')
    .option('--reason <text>', 'a note for operators, which callers do not see', parseReason)
    .action(async (name: string, { reason }: { reason?: string }) => {
      await using store = await cli.openStore();
      const before = await store.accounts.getAccount(name);
      const suspension = { reason, nowMs: platform.now() };
      const account = await store.accounts.suspendAccount(name, suspension);
      await cli.printChange(store, accountJson(account), [
        before.suspendedAtMs === null
          ? `Suspended account "${name}". Its keys get 401 account_suspended.`
          : `Account "${name}" was already suspended, since ${formatTime(before.suspendedAtMs)}.`,
        '"accounts resume" ends this.',
      ]);
    });

  command
    .command('resume')
    .argument('<name>', 'the account')
    .description('accept the keys of a suspended account again; takes effect within a second')
    .action(async (name: string) => {
      await using store = await cli.openStore();
      const before = await store.accounts.getAccount(name);
      const account = await store.accounts.resumeAccount(name);
      await cli.printChange(store, accountJson(account), [
        before.suspendedAtMs === null
          ? `Account "${name}" was not suspended.`
          : `Resumed account "${name}". Its keys work again.`,
      ]);
    });

  command.addCommand(usageCommand(cli));

  return command;
}

function withPlanOptions(command: Command): Command {
  // The error for a missing option shows this text, so it lists what is allowed.
  return command
    .requiredOption(`--plan <${PLAN_NAMES.join('|')}>`, 'the limits of the account', parsePlan)
    .option('--per-minute <n>', 'requests per minute (enterprise only)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (enterprise only)', parseWholeNumber);
}

/** Accounts as JSON, with usage where it is known and a note where it is not. */
async function withUsage(cli: Cli, store: OperatorStore, accounts: readonly Account[]) {
  const nowMs = platform.now();
  const { known, note } = await readCounts(cli, store, 'Usage is', accounts, (account, reader) =>
    readWindows(reader, account, nowMs),
  );
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
  const used = usage === null ? '?' : formatCount(usage[window].used);
  return `${used} of ${formatCount(window === 'minute' ? perMinute : perDay)}`;
}

function describe(
  { name, plan, limits: { perMinute, perDay } }: Account,
  preposition = 'on',
): string {
  const limits = `${formatCount(perMinute)} requests per minute, ${formatCount(perDay)} per day`;
  return `account "${name}" ${preposition} the ${PLANS[plan].title} plan (${limits})`;
}
