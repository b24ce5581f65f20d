import { Command } from 'commander';
import { daysUntil } from '../contract/api.ts';
import { REMOVALS } from '../contract/operations.ts';
import { callersOf } from '../domain/operator/operation-callers.ts';
import { brownoutJson, callerJson } from '../domain/operator/operator-json.ts';
import { formatDay } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';
import { plural } from './text.ts';

export function command(cli: Cli): Command {
  return new Command('deprecations')
    .description('show the planned brownouts, and which keys still call a deprecated operation')
    .action(
      cli.withStore(async ({ accounts, history }) => {
        const nowMs = platform.now();
        const keys = new Map((await accounts.listKeys()).map((key) => [key.id, key]));
        const reports = await Array.fromAsync(REMOVALS, async ([operation, removedAtMs]) => {
          const callers = await callersOf(history.read({ operation, sinceMs: 0 }), nowMs);
          return {
            operation,
            removedOn: formatDay(removedAtMs),
            daysLeft: daysUntil(removedAtMs, nowMs),
            callers: callers.map((caller) => callerJson(caller, keys.get(caller.keyId))),
            brownouts: cli.config.BROWNOUTS.map((brownout) => brownoutJson(brownout, nowMs)),
          };
        });
        if (cli.json) return cli.print(reports, []);
        for (const report of reports) await printReport(cli, report);
      }),
    );
}

interface Report {
  readonly operation: string;
  readonly removedOn: string;
  readonly daysLeft: number;
  readonly callers: readonly ReturnType<typeof callerJson>[];
  readonly brownouts: readonly ReturnType<typeof brownoutJson>[];
}

async function printReport(cli: Cli, report: Report): Promise<void> {
  const { operation, removedOn, daysLeft, callers, brownouts } = report;
  const removal =
    daysLeft === 0
      ? `${operation} was removed on ${removedOn}.`
      : `${operation} will be removed on ${removedOn}, in ${plural(daysLeft, 'day')}.`;
  await cli.print(undefined, [removal, '']);
  if (callers.length === 0) {
    await cli.print(undefined, ['No requests for it are on record.']);
  } else {
    await cli.printTable(callers, {
      ACCOUNT: ({ account }) => account ?? '?',
      KEY: ({ key }) => String(key),
      'LAST DAY': ({ lastDay }) => lastDay,
      WEEK: ({ lastWeek }) => lastWeek,
      MONTH: ({ lastMonth }) => lastMonth,
      'LAST SEEN': ({ lastSeenAt }) => lastSeenAt,
      'FIRST SEEN': ({ firstSeenAt }) => firstSeenAt,
      LABEL: ({ label }) => label,
    });
  }
  // A service may have another setting than the command, so the source is named.
  if (brownouts.length === 0) {
    const none = 'No brownout is planned: BROWNOUTS in this environment is not set.';
    return cli.print(undefined, ['', none]);
  }
  await cli.print(undefined, ['', 'Brownouts, from BROWNOUTS in this environment:', '']);
  await cli.printTable(brownouts, {
    START: ({ startsAt }) => startsAt,
    END: ({ endsAt }) => endsAt,
    STATE: ({ state }) => state,
  });
}
