import { Argument, Command } from 'commander';
import type { Account } from '../domain/account.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { type Limits, PLAN_NAMES, PLANS, type Plan, parseLimit } from '../domain/plan.ts';
import { type LimitsPreview, previewLimits, previewStart } from '../domain/plan-preview.ts';
import { formatTime, parseSince, SINCE_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { parseWholeNumber } from './arguments.ts';
import { openForCommand } from './open-store.ts';
import { formatCount, type JsonOption, print, remark } from './output.ts';
import { printTable } from './table.ts';

const PREVIEW_SINCE = '30d';

interface PreviewOptions extends JsonOption {
  readonly perMinute?: number;
  readonly perDay?: number;
  readonly since: string;
}

export function plansCommand(): Command {
  const command = new Command('plans').description(
    'show the plans, and what other limits would do',
  );

  command
    .command('list')
    .description('list the plans, their limits and how many accounts they have')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      await using store = await openForCommand();
      const accounts = await store.accounts.listAccounts();
      const plans = PLAN_NAMES.map((plan) => ({
        plan,
        perMinute: PLANS[plan].limits?.perMinute ?? null,
        perDay: PLANS[plan].limits?.perDay ?? null,
        accounts: accounts.filter((account) => account.plan === plan).length,
      }));
      const limit = (value: number | null) => (value === null ? 'custom' : formatCount(value));
      await printTable(json, plans, [
        { heading: 'PLAN', cell: ({ plan }) => plan },
        { heading: 'PER MINUTE', cell: ({ perMinute }) => limit(perMinute), align: 'right' },
        { heading: 'PER DAY', cell: ({ perDay }) => limit(perDay), align: 'right' },
        { heading: 'ACCOUNTS', cell: ({ accounts }) => formatCount(accounts), align: 'right' },
      ]);
    });

  command
    .command('preview')
    .addArgument(new Argument('<plan>', 'the plan of the accounts').choices(PLAN_NAMES))
    .description('show which accounts other limits would have refused, from what they sent')
    .option('--per-minute <n>', 'requests per minute (default: as now)', parseWholeNumber)
    .option('--per-day <n>', 'requests per day (default: as now)', parseWholeNumber)
    .option('--since <when>', SINCE_FORMS, PREVIEW_SINCE)
    .option('--json', 'print JSON')
    .action((plan: Plan, options: PreviewOptions) => previewPlan(plan, options));

  return command;
}

async function previewPlan(plan: Plan, { json, since, ...given }: PreviewOptions): Promise<void> {
  const { perMinute, perDay } = given;
  for (const limit of [perMinute, perDay]) if (limit !== undefined) parseLimit(limit);
  await using store = await openForCommand();
  const all = await store.accounts.listAccounts();
  const accounts = new Map(
    all.filter((account) => account.plan === plan).map((account) => [account.id, account]),
  );
  const limitsOf = ({ limits }: Account): Limits => ({
    perMinute: perMinute ?? limits.perMinute,
    perDay: perDay ?? limits.perDay,
  });
  const preview = await previewAccounts(store, accounts, limitsOf, since);
  const affected = preview.accounts
    .filter(({ refused }) => refused > 0)
    .sort((a, b) => b.refused - a.refused);
  const { requests, refused, sinceMs } = preview;
  const shown = { plan, perMinute, perDay, since: formatTime(sinceMs), requests, refused };
  if (json) {
    await print(json, { ...shown, accounts: accounts.size, affected }, []);
    return;
  }
  if (affected.length > 0) {
    await printTable(json, affected, [
      { heading: 'ACCOUNT', cell: ({ account }) => account, narrow: 'cut' },
      { heading: 'SENT', cell: ({ requests }) => formatCount(requests), align: 'right' },
      { heading: 'REFUSED', cell: (row) => formatCount(row.refusedInFact), align: 'right' },
      { heading: 'WOULD BE', cell: ({ refused }) => formatCount(refused), align: 'right' },
      { heading: 'AT WORST', cell: ({ worst }) => describeWorst(worst) },
    ]);
  }
  const onPlan = accounts.size === 1 ? 'account' : 'accounts';
  remark(
    `Since ${formatTime(sinceMs)}, these limits would have refused ${formatCount(affected.length)} of ` +
      `${formatCount(accounts.size)} ${onPlan} on the ${PLANS[plan].title} plan, and ` +
      `${formatCount(refused)} of ${formatCount(requests)} requests.`,
  );
}

type AccountPreview = ReturnType<typeof toJson>;

/** Sends what one account sent in the last days through other limits. */
export async function previewAccount(store: OperatorStore, account: Account, limits: Limits) {
  const accounts = new Map([[account.id, account]]);
  const { sinceMs, ...preview } = await previewAccounts(store, accounts, () => limits);
  const { requests, refused, refusedInFact } = preview;
  const worst = preview.accounts[0]?.worst ?? null;
  return { since: formatTime(sinceMs), requests, refused, refusedInFact, worst };
}

export function describePreview(
  name: string,
  preview: Awaited<ReturnType<typeof previewAccount>>,
): string {
  const { since, requests, refused, refusedInFact, worst } = preview;
  if (requests === 0) return `Account "${name}" has sent no requests since ${since}.`;
  const sent = `Of ${formatCount(requests)} ${requests === 1 ? 'request' : 'requests'} that account "${name}" has sent since ${since}`;
  const inFact = `${formatCount(refusedInFact)} were refused`;
  const now = `these limits would have refused ${formatCount(refused)}`;
  return `${sent}, ${inFact} and ${now}${worst === null ? '' : ` (at worst ${describeWorst(worst)})`}.`;
}

/** Sends what these accounts sent through other limits. */
async function previewAccounts(
  { history }: OperatorStore,
  accounts: ReadonlyMap<number, Account>,
  limitsOf: (account: Account) => Limits,
  since = PREVIEW_SINCE,
) {
  const nowMs = platform.now();
  const sinceMs = previewStart(parseSince(since, nowMs), nowMs);
  // One account is found by its id. More are picked from the whole history.
  const accountIds = accounts.size === 1 ? [...accounts.keys()] : undefined;
  const periods = history.read({ accountIds, sinceMs });
  const totals = { requests: 0, refused: 0, refusedInFact: 0 };
  const previews: AccountPreview[] = [];
  const limits = (id: number) => {
    const account = accounts.get(id);
    return account && limitsOf(account);
  };
  for await (const preview of previewLimits(periods, limits)) {
    previews.push(toJson(accounts.get(preview.accountId)?.name ?? '', preview));
    totals.requests += preview.requests;
    totals.refused += preview.refused;
    totals.refusedInFact += preview.refusedInFact;
  }
  return { sinceMs, ...totals, accounts: previews };
}

function toJson(account: string, { accountId: _, worst, ...counts }: LimitsPreview) {
  if (worst === undefined) return { account, ...counts, worst: null };
  const { startsAtMs, ...rest } = worst;
  return { account, ...counts, worst: { startsAt: formatTime(startsAtMs), ...rest } };
}

/** "75 in the minute from 2026-11-12T10:03:37Z" */
function describeWorst(worst: AccountPreview['worst']): string {
  if (worst === null) return '';
  const { window, startsAt, requests } = worst;
  const when =
    window === 'minute' ? `in the minute from ${startsAt}` : `on ${startsAt.slice(0, 10)}`;
  return `${formatCount(requests)} ${when}`;
}
