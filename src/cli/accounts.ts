import { Command } from 'commander';
import { type Account, accountSubject, parseAccountName } from '../domain/account.ts';
import { OperatorError } from '../domain/error.ts';
import { limitsFor, PLAN_NAMES, PLANS, parsePlan } from '../domain/plan.ts';
import { type Usage, usageAt } from '../domain/rate-limit.ts';
import { platform } from '../platform.ts';
import { parseWholeNumber } from './arguments.ts';
import { nextCommand } from './next-command.ts';
import { openForCommand, openUsage } from './open-store.ts';
import { formatCount, formatTime, type JsonOption, print, printChange, table } from './output.ts';

interface PlanOptions extends JsonOption {
  readonly plan: string;
  readonly perMinute?: number;
  readonly perDay?: number;
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
      await printChange(store, json, toJson(account), [
        `Created ${describe(account)}.`,
        `Next, create a key: ${nextCommand('keys', 'create', name)}`,
      ]);
    });

  command
    .command('list')
    .description('list all accounts')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      await using store = await openForCommand();
      const all = await store.accounts.listAccounts();
      const rows = all.map(({ name, plan, limits, createdAtMs }) => [
        name,
        PLANS[plan].title,
        formatCount(limits.perMinute),
        formatCount(limits.perDay),
        formatTime(createdAtMs),
      ]);
      const lines = table(['NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'CREATED'], rows);
      await print(json, all.map(toJson), lines);
    });

  withPlanOptions(command.command('set-plan'))
    .argument('<name>', 'the account')
    .description('move an account to another plan; takes effect within a second')
    .action(async (name: string, { plan: planName, json, ...custom }: PlanOptions) => {
      const plan = parsePlan(planName);
      const limits = limitsFor(plan, custom);
      await using store = await openForCommand();
      const account = await store.accounts.setPlan(name, plan, limits);
      await printChange(store, json, toJson(account), [`Changed: ${describe(account)}.`]);
    });

  command
    .command('usage')
    .argument('[name]', 'an account (default: all)')
    .description('show how much of their limits accounts have used')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json }: JsonOption) => {
      const nowMs = platform.now();
      await using store = await openForCommand();
      await using counts = await openUsage(store);
      const { usage } = counts;
      if (usage === undefined) {
        throw new OperatorError(
          'Without REDIS_URL each instance counts in its own memory, which no command can read.',
        );
      }
      const { accounts } = store;
      const chosen =
        name === undefined ? await accounts.listAccounts() : [await accounts.getAccount(name)];
      const used = await Promise.all(
        chosen.map(async (account) => {
          const subject = accountSubject(account.id);
          return { account, usage: usageAt(await usage.getUsage(subject), subject, nowMs) };
        }),
      );
      const rows = used.map(({ account: { name, limits }, usage }) => [
        name,
        `${formatCount(usage.minuteUsed)} of ${formatCount(limits.perMinute)}`,
        `${formatCount(usage.dayUsed)} of ${formatCount(limits.perDay)}`,
      ]);
      await print(json, used.map(usageToJson), table(['NAME', 'THIS MINUTE', 'TODAY (UTC)'], rows));
    });

  return command;
}

function withPlanOptions(command: Command): Command {
  return command
    .requiredOption('--plan <plan>', PLAN_NAMES.join(', '))
    .option('--per-minute <n>', 'requests per minute (enterprise only)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (enterprise only)', parseWholeNumber)
    .option('--json', 'print JSON');
}

function toJson({ id, name, plan, limits, createdAtMs }: Account) {
  return { id, name, plan, ...limits, createdAt: formatTime(createdAtMs) };
}

function usageToJson({ account, usage }: { account: Account; usage: Usage }) {
  return {
    name: account.name,
    plan: account.plan,
    minute: { used: usage.minuteUsed, limit: account.limits.perMinute },
    day: { used: usage.dayUsed, limit: account.limits.perDay },
  };
}

function describe({ name, plan, limits: { perMinute, perDay } }: Account): string {
  const limits = `${formatCount(perMinute)} requests per minute, ${formatCount(perDay)} per day`;
  return `account "${name}" on the ${PLANS[plan].title} plan (${limits})`;
}
