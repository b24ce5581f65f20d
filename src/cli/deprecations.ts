import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { daysUntil } from '../contract/deprecation.ts';
import { REMOVALS } from '../contract/operations.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { callersOf } from '../domain/operator/operation-callers.ts';
import { brownoutJson, callerJson } from '../domain/operator/operator-json.ts';
import { formatDay } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { openForCommand } from './open-store.ts';
import { formatCount, type JsonOption, print } from './output.ts';
import { printTable } from './table.ts';

type Report = Awaited<ReturnType<typeof deprecationReport>>;

const STATE_COLORS = { planned: 'yellow', active: 'red', over: 'gray' } as const;

export function deprecationsCommand(): Command {
  return new Command('deprecations')
    .description('show the planned brownouts, and which keys still call a deprecated operation')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      await using store = await openForCommand();
      const nowMs = platform.now();
      const reports: Report[] = [];
      for (const [operation, removedAtMs] of REMOVALS) {
        reports.push(await deprecationReport(store, operation, removedAtMs, nowMs));
      }
      if (json) return print(json, reports, []);
      for (const report of reports) await printReport(report);
    });
}

/** The brownouts, and the keys that called the operation, as far back as the history goes. */
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
    brownouts: readConfig().brownouts.map((brownout) => brownoutJson(brownout, nowMs)),
  };
}

async function printReport(report: Report): Promise<void> {
  const { operation, removedOn, daysLeft } = report;
  const removal =
    daysLeft === 0
      ? `${operation} was removed on ${removedOn}.`
      : `${operation} will be removed on ${removedOn}, in ${formatCount(daysLeft)} ${daysLeft === 1 ? 'day' : 'days'}.`;
  await print(false, undefined, [removal, '']);
  await printCallers(report);
  await print(false, undefined, ['']);
  await printBrownouts(report);
}

async function printCallers({ callers }: Report): Promise<void> {
  if (callers.length === 0) {
    return print(false, undefined, ['No requests for it are on record.']);
  }
  await printTable(false, callers, [
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
async function printBrownouts({ brownouts }: Report): Promise<void> {
  if (brownouts.length === 0) {
    return print(false, undefined, [
      'No brownout is planned: BROWNOUTS in this environment is not set.',
    ]);
  }
  await print(false, undefined, ['Brownouts, from BROWNOUTS in this environment:', '']);
  await printTable(false, brownouts, [
    { heading: 'START', cell: ({ startsAt }) => startsAt },
    { heading: 'END', cell: ({ endsAt }) => endsAt },
    { heading: 'STATE', cell: ({ state }) => state, color: ({ state }) => STATE_COLORS[state] },
  ]);
}
