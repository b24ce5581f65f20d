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
import { readCounts } from './limiter-counts.ts';
import { describePreview, previewForAccount } from './plans.ts';
import { formatCount } from './text.ts';
import { usageCommand } from './usage.ts';

interface PlanOptions extends Partial<Limits> {
  readonly plan: Plan;
  readonly dryRun?: boolean;
}

export function command(cli: Cli): Command {
  const group = new Command('accounts').description('create accounts and set their plans');

  withPlanOptions(group.command('create <name>'))
    .description('create an account; then create a key for it')
    .action(
      cli.changes(async ({ accounts }, name: string, { plan, ...custom }: PlanOptions) => {
        const account = await accounts.createAccount({
          name: parseAccountName(name),
          plan,
          limits: limitsFor(plan, custom),
          nowMs: platform.now(),
        });
        return [
          accountJson(account),
          `Created ${describe(account)}.`,
          'Next, create a key with "keys create".',
        ];
      }),
    );

  group
    .command('list')
    .description('list all accounts, their state and how much of their limits they have used')
    .action(
      cli.reads(async (store) => {
        const rows = await withUsage(cli, store, await store.accounts.listAccounts());
        await cli.printTable(rows, {
          NAME: ({ name }) => name,
          PLAN: ({ plan }) => PLANS[plan].title,
          STATE: ({ state }) => state,
          'THIS MINUTE': (row) => usedOf(row, 'minute'),
          'TODAY (UTC)': (row) => usedOf(row, 'day'),
          CREATED: ({ createdAt }) => createdAt,
        });
        await cli.remark(rows[0]?.note);
      }),
    );

  group
    .command('show <name>')
    .description('show everything about an account')
    .action(
      cli.reads(async (store, name: string) => {
        const account = await store.accounts.getAccount(name);
        const [row] = (await withUsage(cli, store, [account])) as [WithUsage];
        const keys = await store.accounts.listKeys(name);
        const nowMs = platform.now() + account.clockOffsetMs;
        const ended = keys.filter((key) => keyState(key, nowMs) !== 'active').length;
        const shown = { ...row, keys: { total: keys.length, ended } };
        await cli.print(shown, detailLines(shown));
        await cli.remark(row.note);
      }),
    );

  withPlanOptions(group.command('set-plan <name>'))
    .description('move an account to another plan; takes effect within a second')
    .option('--dry-run', 'show what the limits would have refused, and change nothing')
    .action(
      cli.reads(async (store, name: string, { plan, dryRun, ...custom }: PlanOptions) => {
        const limits = limitsFor(plan, custom);
        const { id } = await store.accounts.getAccount(name);
        const preview = await previewForAccount(store, id, limits);
        const past = describePreview(name, preview);
        if (dryRun) return cli.print({ preview }, [past, 'Nothing was changed.']);
        const account = await store.accounts.setPlan(name, plan, limits);
        const moved = `Moved ${describe(account, 'to')}.`;
        await cli.printChange([{ ...accountJson(account), preview }, moved, past]);
      }),
    );

  group
    .command('rename <name> <new-name>')
    .description('rename an account; its keys, counts and bans stay as they are')
    .action(
      cli.changes(async ({ accounts }, name: string, newName: string) => {
        const account = await accounts.renameAccount(name, parseAccountName(newName));
        return [accountJson(account), `Renamed account "${name}" to "${account.name}".`];
      }),
    );

  group
    .command('suspend <name>')
    .description('refuse all keys of an account until it is resumed; takes effect within a second')
    .option('--reason <text>', 'a note for operators, which callers do not see', parseReason)
    .action(
      cli.changes(async ({ accounts }, name: string, { reason }: { reason?: string }) => {
        const suspension = { reason, nowMs: platform.now() };
        const account = accountJson(await accounts.suspendAccount(name, suspension));
        return [
          account,
          `Account "${name}" is suspended since ${account.suspendedAt}.`,
          'Its keys get 401 account_suspended until you use "accounts resume".',
        ];
      }),
    );

  group
    .command('resume <name>')
    .description('accept the keys of a suspended account again; takes effect within a second')
    .action(
      cli.changes(async ({ accounts }, name: string) => {
        const account = await accounts.resumeAccount(name);
        return [accountJson(account), `Account "${name}" is active. Its keys work.`];
      }),
    );

  group.addCommand(usageCommand(cli));

  return group;
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
  const { known, note } = await readCounts(cli, store, accounts, (account, reader) =>
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

type WithUsage = Awaited<ReturnType<typeof withUsage>>[number];

function detailLines(row: WithUsage & { keys: { total: number; ended: number } }): string[] {
  const details = {
    Account: row.name,
    Plan: PLANS[row.plan].title,
    State: row.suspendedAt === null ? row.state : `suspended since ${row.suspendedAt}`,
    Reason: row.suspensionReason,
    'Test time': row.testTime,
    'This minute': usedOf(row, 'minute'),
    'Today (UTC)': usedOf(row, 'day'),
    Keys: `${row.keys.total}, of which ${row.keys.ended} expired or revoked`,
    Created: row.createdAt,
  };
  return Object.entries(details)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([label, value]) => `${`${label}:`.padEnd(13)}${value}`);
}

function usedOf({ usage, perMinute, perDay }: WithUsage, window: 'minute' | 'day'): string {
  const used = usage === null ? '?' : formatCount(usage[window].used);
  return `${used} of ${formatCount(window === 'minute' ? perMinute : perDay)}`;
}

function describe({ name, plan, limits }: Account, preposition = 'on'): string {
  const perMinute = `${formatCount(limits.perMinute)} requests per minute`;
  const perDay = `${formatCount(limits.perDay)} per day`;
  return `account "${name}" ${preposition} the ${PLANS[plan].title} plan (${perMinute}, ${perDay})`;
}
