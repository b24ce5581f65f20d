import { Command } from 'commander';
import { daysUntil } from '../contract/api.ts';
import { REMOVALS } from '../contract/operations.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { callersOf } from '../domain/operator/operation-callers.ts';
import { brownoutJson, callerJson } from '../domain/operator/operator-json.ts';
import { formatDay } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';
import { formatCount } from './printable.ts';

type Report = Awaited<ReturnType<typeof deprecationReport>>;

const STATE_COLORS = { planned: 'yellow', active: 'red', over: 'gray' } as const;

export function deprecationsCommand(cli: Cli): Command {
  return new Command('deprecations')
    .description('show the planned brownouts, and which keys still call a deprecated operation')
    .action(async () => {
      await using store = await cli.openStore();
      const nowMs = platform.now();
      const reports: Report[] = [];
      for (const [operation, removedAtMs] of REMOVALS) {
        reports.push(await deprecationReport(cli, store, operation, removedAtMs, nowMs));
      }
      if (cli.json) return cli.print(reports, []);
      for (const report of reports) await printReport(cli, report);
    });
}

/** The brownouts, and the keys that called the operation, as far back as the history goes. */
async function deprecationReport(
  { config }: Cli,
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
    brownouts: config.brownouts.map((brownout) => brownoutJson(brownout, nowMs)),
  };
}

async function printReport(cli: Cli, report: Report): Promise<void> {
  const { operation, removedOn, daysLeft } = report;
  const removal =
    daysLeft === 0
      ? `${operation} was removed on ${removedOn}.`
      : `${operation} will be removed on ${removedOn}, in ${formatCount(daysLeft)} ${daysLeft === 1 ? 'day' : 'days'}.`;
  await cli.print(undefined, [removal, '']);
  await printCallers(cli, report);
  await cli.print(undefined, ['']);
  await printBrownouts(cli, report);
}

async function printCallers(cli: Cli, { callers }: Report): Promise<void> {
  if (callers.length === 0) {
    return cli.print(undefined, ['No requests for it are on record.']);
  }
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

/** A service may have another setting than the command, so the source is named. */
async function printBrownouts(cli: Cli, { brownouts }: Report): Promise<void> {
  if (brownouts.length === 0) {
    return cli.print(undefined, [
      'No brownout is planned: BROWNOUTS in this environment is not set.',
    ]);
  }
  await cli.print(undefined, ['Brownouts, from BROWNOUTS in this environment:', '']);
  await cli.printTable(brownouts, [
    { heading: 'START', cell: ({ startsAt }) => startsAt },
    { heading: 'END', cell: ({ endsAt }) => endsAt },
    { heading: 'STATE', cell: ({ state }) => state, color: ({ state }) => STATE_COLORS[state] },
  ]);
}
