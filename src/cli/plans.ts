import { Argument } from 'commander';
import { startOfRecentDays } from '#domain/operator/history.ts';
import { type LimitsPreview, previewAccount } from '#domain/operator/plan-preview.ts';
import { type Limits, PLAN_NAMES, PLANS, type Plan, parseLimit } from '#domain/plan.ts';
import { formatTime } from '#domain/time-text.ts';
import { platform } from '#platform.ts';
import type { CliCommand, Run } from './cli.ts';
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

export function define(group: CliCommand): void {
  group.description('show the plans, and what other limits would do');
  group.reads('list', 'list the plans, their limits and numbers of accounts', list);
  group
    .reads(
      'preview',
      'show what other limits would have refused in the last 30 days, at least',
      preview,
    )
    .addArgument(new Argument('<plan>', 'the plan of the accounts').choices(PLAN_NAMES))
    .limits('default: as now');
}

async function list({ cli, store }: Run): Promise<void> {
  const listed = await store.accounts.listAccounts();
  const plans = PLAN_NAMES.map((plan) => ({
    plan,
    ...(PLANS[plan].limits ?? { perMinute: null, perDay: null }),
    accounts: listed.filter((account) => account.plan === plan).length,
  }));
  await cli.printTable(plans, {
    PLAN: 'plan',
    'PER MINUTE': ({ perMinute }) => perMinute ?? 'custom',
    'PER DAY': ({ perDay }) => perDay ?? 'custom',
    ACCOUNTS: 'accounts',
  });
}

async function preview({ cli, store }: Run, plan: Plan, wanted: Partial<Limits>): Promise<void> {
  for (const limit of Object.values(wanted)) parseLimit(limit);
  const listed = await store.accounts.listAccounts();
  const accounts = listed.filter((account) => account.plan === plan);
  const nowMs = platform.now();
  const since = formatTime(startOfRecentDays(nowMs));
  const totals = { since, requests: 0, refused: 0 };
  const affected: AffectedAccount[] = [];
  for (const { id, name, limits } of accounts) {
    const preview = await previewAccount(store.history, id, { ...limits, ...wanted }, nowMs);
    totals.requests += preview.requests;
    totals.refused += preview.refused;
    if (preview.refused > 0) affected.push({ account: name, ...preview });
  }
  affected.sort((a, b) => b.refused - a.refused);
  await cli.print(
    { plan, ...wanted, ...totals, accounts: accounts.length, affected },
    affected.length === 0 ? [] : formatTable(AFFECTED_COLUMNS, affected),
  );
  await cli.remark(
    `${describePreview(totals)}, sent by ${formatCount(affected.length)} of ` +
      `${plural(accounts.length, 'account')} on the ${PLANS[plan].title} plan.`,
  );
}

/** A sentence without its full stop, so that more can follow. */
export function describePreview({
  since,
  requests,
  refused,
}: Pick<LimitsPreview, 'since' | 'requests' | 'refused'>): string {
  const sent = plural(requests, 'request');
  return `Since ${since}, these limits would have refused at least ${formatCount(refused)} of ${sent}`;
}
