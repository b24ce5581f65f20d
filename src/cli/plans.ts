import { Argument, Command } from 'commander';
import { previewJson } from '../domain/operator/operator-json.ts';
import { previewLimits } from '../domain/operator/plan-preview.ts';
import { type Limits, PLAN_NAMES, PLANS, type Plan, parseLimit } from '../domain/plan.ts';
import { formatTime, SINCE_FORMS } from '../domain/time-text.ts';
import { type Cli, parseWholeNumber } from './cli.ts';
import { describeWorst, PREVIEW_SINCE, startOfPreview } from './plan-preview.ts';
import { formatCount } from './printable.ts';

interface PreviewOptions {
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly since: string;
}

export function plansCommand(cli: Cli): Command {
  const command = new Command('plans').description(
    'show the plans, and what other limits would do',
  );

  command
    .command('list')
    .description('list the plans, their limits and how many accounts they have')
    .action(async () => {
      await using store = await cli.openStore();
      const accounts = await store.accounts.listAccounts();
      const plans = PLAN_NAMES.map((plan) => ({
        plan,
        perMinute: PLANS[plan].limits?.perMinute ?? null,
        perDay: PLANS[plan].limits?.perDay ?? null,
        accounts: accounts.filter((account) => account.plan === plan).length,
      }));
      const limit = (value: number | null) => (value === null ? 'custom' : formatCount(value));
      await cli.printTable(plans, [
        { heading: 'PLAN', cell: ({ plan }) => plan },
        { heading: 'PER MINUTE', cell: ({ perMinute }) => limit(perMinute), align: 'right' },
        { heading: 'PER DAY', cell: ({ perDay }) => limit(perDay), align: 'right' },
        { heading: 'ACCOUNTS', cell: ({ accounts }) => formatCount(accounts), align: 'right' },
      ]);
    });

  command
    .command('preview')
    .addArgument(new Argument('<plan>', 'the plan of the accounts').choices(PLAN_NAMES))
    .description(
      'show which accounts other limits would have refused, at least, from what they sent',
    )
    .option('--per-minute <n>', 'requests per minute (default: as now)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (default: as now)', parseWholeNumber)
    .option('--since <when>', SINCE_FORMS, PREVIEW_SINCE)
    .action((plan: Plan, options: PreviewOptions) => previewPlan(cli, plan, options));

  return command;
}

async function previewPlan(cli: Cli, plan: Plan, options: PreviewOptions): Promise<void> {
  const { perMinute, perDay, since } = options;
  for (const limit of [perMinute, perDay]) if (limit !== undefined) parseLimit(limit);
  await using store = await cli.openStore();
  const all = await store.accounts.listAccounts();
  const accounts = new Map(
    all.filter((account) => account.plan === plan).map((account) => [account.id, account]),
  );
  const limitsOf = (id: number): Limits | undefined => {
    const now = accounts.get(id)?.limits;
    return now && { perMinute: perMinute ?? now.perMinute, perDay: perDay ?? now.perDay };
  };
  const sinceMs = startOfPreview(since);
  // One account is found by its id. More are picked from the whole history.
  const accountIds = accounts.size === 1 ? [...accounts.keys()] : undefined;
  const previews = await Array.fromAsync(
    previewLimits(store.history.read({ accountIds, sinceMs }), limitsOf),
  );
  const total = (field: 'requests' | 'refused') =>
    previews.reduce((sum, preview) => sum + preview[field], 0);
  const [requests, refused] = [total('requests'), total('refused')];
  const affected = previews
    .filter((preview) => preview.refused > 0)
    .sort((a, b) => b.refused - a.refused)
    .map((preview) => ({
      account: accounts.get(preview.accountId)?.name ?? '',
      ...previewJson(preview),
    }));
  const shown = { plan, perMinute, perDay, since: formatTime(sinceMs), requests, refused };
  if (cli.json) {
    await cli.print({ ...shown, accounts: accounts.size, affected }, []);
    return;
  }
  if (affected.length > 0) {
    await cli.printTable(affected, [
      { heading: 'ACCOUNT', cell: ({ account }) => account, narrow: 'cut' },
      { heading: 'SENT', cell: ({ requests }) => formatCount(requests), align: 'right' },
      { heading: 'REFUSED', cell: (row) => formatCount(row.refusedInFact), align: 'right' },
      { heading: 'AT LEAST', cell: ({ refused }) => formatCount(refused), align: 'right' },
      { heading: 'AT WORST', cell: ({ worst }) => describeWorst(worst) },
    ]);
  }
  const onPlan = accounts.size === 1 ? 'account' : 'accounts';
  await cli.remark(
    `Since ${formatTime(sinceMs)}, these limits would have refused at least ${formatCount(refused)} of ` +
      `${formatCount(requests)} requests, sent by ${formatCount(affected.length)} of ` +
      `${formatCount(accounts.size)} ${onPlan} on the ${PLANS[plan].title} plan.`,
  );
}
