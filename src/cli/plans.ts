import { Argument, Command } from 'commander';
import type { OperatorStore } from '../domain/backend.ts';
import { startOfRecentDays } from '../domain/operator/history.ts';
import { type LimitsPreview, previewAccount } from '../domain/operator/plan-preview.ts';
import { type Limits, PLAN_NAMES, PLANS, type Plan, parseLimit } from '../domain/plan.ts';
import { formatTime } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, parseWholeNumber } from './cli.ts';
import { formatCount, plural } from './text.ts';

type PreviewCounts = Pick<LimitsPreview, 'since' | 'requests' | 'refused'>;

export function command(cli: Cli): Command {
  const group = new Command('plans').description('show the plans, and what other limits would do');

  group
    .command('list')
    .description('list the plans, their limits and numbers of accounts')
    .action(
      cli.withStore(async ({ accounts }) => {
        const listed = await accounts.listAccounts();
        const plans = PLAN_NAMES.map((plan) => ({
          plan,
          perMinute: PLANS[plan].limits?.perMinute ?? null,
          perDay: PLANS[plan].limits?.perDay ?? null,
          accounts: listed.filter((account) => account.plan === plan).length,
        }));
        await cli.printTable(plans, {
          PLAN: ({ plan }) => plan,
          'PER MINUTE': ({ perMinute }) => perMinute ?? 'custom',
          'PER DAY': ({ perDay }) => perDay ?? 'custom',
          ACCOUNTS: (row) => row.accounts,
        });
      }),
    );

  group
    .command('preview')
    .addArgument(new Argument('<plan>', 'the plan of the accounts').choices(PLAN_NAMES))
    .description('show what other limits would have refused in the last 30 days, at least')
    .option('--per-minute <n>', 'requests per minute (default: as now)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (default: as now)', parseWholeNumber)
    .action(
      cli.withStore((store, plan: Plan, limits: Partial<Limits>) =>
        previewPlan(cli, store, plan, limits),
      ),
    );

  return group;
}

async function previewPlan(
  cli: Cli,
  store: OperatorStore,
  plan: Plan,
  { perMinute, perDay }: Partial<Limits>,
): Promise<void> {
  for (const limit of [perMinute, perDay]) if (limit !== undefined) parseLimit(limit);
  const listed = await store.accounts.listAccounts();
  const accounts = listed.filter((account) => account.plan === plan);
  const nowMs = platform.now();
  const since = formatTime(startOfRecentDays(nowMs));
  let requests = 0;
  let refused = 0;
  const affected: ({ account: string } & LimitsPreview)[] = [];
  for (const { id, name, limits } of accounts) {
    const previewed = { perMinute: perMinute ?? limits.perMinute, perDay: perDay ?? limits.perDay };
    const preview = await previewAccount(store.history, id, previewed, nowMs);
    requests += preview.requests;
    refused += preview.refused;
    if (preview.refused > 0) affected.push({ account: name, ...preview });
  }
  affected.sort((a, b) => b.refused - a.refused);
  if (cli.json) {
    const counts = { requests, refused, accounts: accounts.length };
    return cli.print({ plan, perMinute, perDay, since, ...counts, affected }, []);
  }
  if (requests === 0) return cli.print([], [noRequests(since)]);
  await cli.printTable(affected, {
    ACCOUNT: ({ account }) => account,
    SENT: ({ requests }) => requests,
    REFUSED: ({ refusedInFact }) => refusedInFact,
    'AT LEAST': ({ refused }) => refused,
    'AT WORST': ({ worst }) => describeWorst(worst),
  });
  await cli.remark(
    `${describePreview({ since, requests, refused })}, sent by ${formatCount(affected.length)} of ` +
      `${plural(accounts.length, 'account')} on the ${PLANS[plan].title} plan.`,
  );
}

export function noRequests(since: string): string {
  return `No requests since ${since}. A new one is counted within 5 seconds.`;
}

/** Without a full stop. */
export function describePreview({ since, requests, refused }: PreviewCounts): string {
  const sent = plural(requests, 'request');
  return `Since ${since}, these limits would have refused at least ${formatCount(refused)} of ${sent}`;
}

/** "at least 75 in one minute on 2026-11-12". The requests of a day are known. */
function describeWorst(worst: LimitsPreview['worst']): string {
  if (worst === null) return '';
  const { window, day, requests } = worst;
  const count = formatCount(requests);
  return window === 'minute' ? `at least ${count} in one minute on ${day}` : `${count} on ${day}`;
}
