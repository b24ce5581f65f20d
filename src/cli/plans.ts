import { Argument } from 'commander';
import { startOfRecentDays } from '../domain/operator/history.ts';
import { type LimitsPreview, previewAccount } from '../domain/operator/plan-preview.ts';
import { type Limits, PLAN_NAMES, PLANS, type Plan, parseLimit } from '../domain/plan.ts';
import { formatTime } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, type CliCommand, parseWholeNumber } from './cli.ts';
import { type Columns, formatCount, formatTable, plural } from './text.ts';

interface AffectedAccount extends LimitsPreview {
  readonly account: string;
}

const AFFECTED_COLUMNS: Columns<AffectedAccount> = {
  ACCOUNT: 'account',
  SENT: 'requests',
  REFUSED: 'refusedInFact',
  'AT LEAST': 'refused',
  'AT WORST': ({ worst }) =>
    worst === null ? '' : `${formatCount(worst.requests)} in a ${worst.window} on ${worst.day}`,
};

export function define(group: CliCommand, cli: Cli): void {
  group.description('show the plans, and what other limits would do');

  group
    .command('list')
    .description('list the plans, their limits and numbers of accounts')
    .withStore(async ({ accounts }) => {
      const listed = await accounts.listAccounts();
      const plans = PLAN_NAMES.map((plan) => ({
        plan,
        perMinute: PLANS[plan].limits?.perMinute ?? null,
        perDay: PLANS[plan].limits?.perDay ?? null,
        accounts: listed.filter((account) => account.plan === plan).length,
      }));
      await cli.printTable(plans, {
        PLAN: 'plan',
        'PER MINUTE': ({ perMinute }) => perMinute ?? 'custom',
        'PER DAY': ({ perDay }) => perDay ?? 'custom',
        ACCOUNTS: 'accounts',
      });
    });

  group
    .command('preview')
    .addArgument(new Argument('<plan>', 'the plan of the accounts').choices(PLAN_NAMES))
    .description('show what other limits would have refused in the last 30 days, at least')
    .option('--per-minute <n>', 'requests per minute (default: as now)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (default: as now)', parseWholeNumber)
    .withStore(async (store, plan: Plan, { perMinute, perDay }: Partial<Limits>) => {
      for (const limit of [perMinute, perDay]) if (limit !== undefined) parseLimit(limit);
      const listed = await store.accounts.listAccounts();
      const accounts = listed.filter((account) => account.plan === plan);
      const nowMs = platform.now();
      const since = formatTime(startOfRecentDays(nowMs));
      let requests = 0;
      let refused = 0;
      const affected: AffectedAccount[] = [];
      for (const { id, name, limits } of accounts) {
        const previewed = {
          perMinute: perMinute ?? limits.perMinute,
          perDay: perDay ?? limits.perDay,
        };
        const preview = await previewAccount(store.history, id, previewed, nowMs);
        requests += preview.requests;
        refused += preview.refused;
        if (preview.refused > 0) affected.push({ account: name, ...preview });
      }
      affected.sort((a, b) => b.refused - a.refused);
      const counts = { requests, refused, accounts: accounts.length };
      await cli.print(
        { plan, perMinute, perDay, since, ...counts, affected },
        affected.length === 0 ? [] : formatTable(AFFECTED_COLUMNS, affected),
      );
      await cli.remark(
        `${describePreview(since, requests, refused)}, sent by ${formatCount(affected.length)} of ` +
          `${plural(accounts.length, 'account')} on the ${PLANS[plan].title} plan.`,
      );
    });
}

/** Without a full stop. */
export function describePreview(since: string, requests: number, refused: number): string {
  const sent = plural(requests, 'request');
  return `Since ${since}, these limits would have refused at least ${formatCount(refused)} of ${sent}`;
}
