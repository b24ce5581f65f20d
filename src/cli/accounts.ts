import { Command } from 'commander';
import { type Account, accountSubject, parseAccountName } from '../domain/account.ts';
import { OperatorError } from '../domain/error.ts';
import { limitsFor, PLAN_NAMES, PLANS, parsePlan } from '../domain/plan.ts';
import { type Usage, usageAt } from '../domain/rate-limit.ts';
import { platform } from '../platform.ts';
import { parseCount } from './count.ts';
import { formatCount, formatTime, print, table } from './output.ts';
import { withAccounts } from './with-accounts.ts';

interface PlanOptions {
  readonly plan: string;
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly json?: boolean;
}

export function accountsCommand(): Command {
  const command = new Command('accounts').description('create accounts and set their plans');

  withPlanOptions(command.command('create'))
    .argument('<name>', 'what to call the account')
    .description('create an account; it needs a key next: keys create')
    .action(async (name: string, { plan: planName, json = false, ...custom }: PlanOptions) => {
      const plan = parsePlan(planName);
      const account = await withAccounts(({ accounts }) =>
        accounts.createAccount({
          name: parseAccountName(name),
          plan,
          limits: limitsFor(plan, custom),
          nowMs: platform.now(),
        }),
      );
      await print(json, toJson(account), [
        `Created ${describe(account)}.`,
        `Next, a key for it: animal-store keys create ${shellWord(name)}`,
      ]);
    });

  command
    .command('list')
    .description('show all accounts')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const all = await withAccounts(({ accounts }) => accounts.listAccounts());
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
    .description('move an account to another plan; it holds within a second')
    .action(async (name: string, { plan: planName, json = false, ...custom }: PlanOptions) => {
      const plan = parsePlan(planName);
      const limits = limitsFor(plan, custom);
      const account = await withAccounts(({ accounts }) => accounts.setPlan(name, plan, limits));
      await print(json, toJson(account), [`Changed: ${describe(account)}.`]);
    });

  command
    .command('usage')
    .argument('[name]', 'one account; all when left out')
    .description('show what accounts have used of their limits')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { json = false }: { json?: boolean }) => {
      const nowMs = platform.now();
      const used = await withAccounts(async ({ accounts, openUsage }) => {
        const counted = await openUsage();
        if (counted === undefined) {
          throw new OperatorError(
            'Without REDIS_URL each instance counts in its own memory, which cannot be seen from here.',
          );
        }
        const asked =
          name === undefined ? await accounts.listAccounts() : [await accounts.getAccount(name)];
        return Promise.all(
          asked.map(async (account) => {
            const subject = accountSubject(account.id);
            return { account, usage: usageAt(await counted.getUsage(subject), subject, nowMs) };
          }),
        );
      });
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
    .option('--per-minute <n>', 'requests a minute (enterprise only)', parseCount)
    .option('--per-day <n>', 'requests a day (enterprise only)', parseCount)
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
  const limits = `${formatCount(perMinute)} requests a minute, ${formatCount(perDay)} a day`;
  return `account "${name}" on the ${PLANS[plan].title} plan (${limits})`;
}

/** A name that can be pasted into a shell. */
function shellWord(name: string): string {
  return /^[\w.@-]+$/.test(name) ? name : `'${name}'`;
}
