import { daysUntil } from '../contract/deprecation.ts';
import { REMOVALS } from '../contract/operations.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { callersOf } from '../domain/operator/operation-callers.ts';
import { callerJson } from '../domain/operator/operator-json.ts';
import { formatDay } from '../domain/time-text.ts';
import type { Cli } from './cli.ts';
import { formatCount } from './printable.ts';

type Report = Awaited<ReturnType<typeof deprecationReport>>;

/** The keys that called a deprecated operation, as far back as the history goes. */
async function deprecationReport(
  { accounts, history }: OperatorStore,
  operation: string,
  removedAtMs: number,
  nowMs: number,
) {
  const callers = await callersOf(history.read({ operation, sinceMs: 0 }), nowMs);
  const keys = new Map((await accounts.listKeys()).map((key) => [key.id, key]));
  return {
    operation,
    removedOn: formatDay(removedAtMs),
    daysLeft: daysUntil(removedAtMs, nowMs),
    callers: callers.map((caller) => callerJson(caller, keys.get(caller.keyId))),
  };
}

/** Prints a report on each deprecated operation. */
export async function printDeprecations(
  cli: Cli,
  store: OperatorStore,
  nowMs: number,
): Promise<void> {
  const reports: Report[] = [];
  for (const [operation, removedAtMs] of REMOVALS) {
    reports.push(await deprecationReport(store, operation, removedAtMs, nowMs));
  }
  if (cli.json) return cli.print(reports, []);
  for (const report of reports) await printReport(cli, report);
}

async function printReport(cli: Cli, report: Report): Promise<void> {
  const { operation, removedOn, daysLeft, callers } = report;
  const removal =
    daysLeft === 0
      ? `${operation} was removed on ${removedOn}.`
      : `${operation} will be removed on ${removedOn}, in ${formatCount(daysLeft)} ${daysLeft === 1 ? 'day' : 'days'}.`;
  if (callers.length === 0) {
    return cli.print(undefined, [removal, 'No requests for it are on record.']);
  }
  await cli.print(undefined, [removal, '']);
  await cli.printTable(callers, [
    { heading: 'ACCOUNT', cell: ({ account }) => account ?? '?', narrow: 'cut' },
    { heading: 'KEY', cell: ({ key }) => String(key), align: 'right' },
    { heading: 'LABEL', cell: ({ label }) => label, narrow: 'leave out' },
    { heading: 'LAST DAY', cell: ({ lastDay }) => formatCount(lastDay), align: 'right' },
    { heading: 'WEEK', cell: ({ lastWeek }) => formatCount(lastWeek), align: 'right' },
    { heading: 'MONTH', cell: ({ lastMonth }) => formatCount(lastMonth), align: 'right' },
    { heading: 'FIRST SEEN', cell: ({ firstSeenAt }) => firstSeenAt, narrow: 'leave out' },
    { heading: 'LAST SEEN', cell: ({ lastSeenAt }) => lastSeenAt },
  ]);
}
