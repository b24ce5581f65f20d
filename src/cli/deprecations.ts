import { daysUntil } from '../contract/api.ts';
import { REMOVALS } from '../contract/operations.ts';
import { callersOf } from '../domain/operator/history.ts';
import { brownoutJson, callerJson } from '../domain/operator/operator-json.ts';
import { formatDay } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import type { Cli, CliCommand } from './cli.ts';
import { type Columns, formatTable, plural } from './text.ts';

export function define(command: CliCommand, cli: Cli): void {
  command
    .description('show the brownouts, and the keys that still call a deprecated operation')
    .withStore(async ({ accounts, history }) => {
      const nowMs = platform.now();
      const keys = new Map((await accounts.listKeys()).map((key) => [key.id, key]));
      const brownouts = cli.config.BROWNOUTS.map((brownout) => brownoutJson(brownout, nowMs));
      const reports = await Array.fromAsync(REMOVALS, async ([operation, removedAtMs]) => {
        const callers = await callersOf(history.read({ operation, sinceMs: 0 }), nowMs);
        return {
          operation,
          removedOn: formatDay(removedAtMs),
          daysLeft: daysUntil(removedAtMs, nowMs),
          callers: callers.map((caller) => callerJson(caller, keys.get(caller.keyId))),
          brownouts,
        };
      });
      const lines = reports.flatMap(({ operation, removedOn, daysLeft, callers }) => [
        daysLeft === 0
          ? `${operation} was removed on ${removedOn}.`
          : `${operation} will be removed on ${removedOn}, in ${plural(daysLeft, 'day')}.`,
        '',
        ...(callers.length === 0
          ? ['No requests for it are on record.']
          : formatTable(CALLER_COLUMNS, callers)),
        '',
      ]);
      // A service may have another setting than the command, so the source is named.
      if (brownouts.length === 0) lines.push('No brownouts: BROWNOUTS in this shell is not set.');
      else {
        lines.push('Brownouts, from BROWNOUTS in this shell:', '');
        lines.push(...formatTable(BROWNOUT_COLUMNS, brownouts));
      }
      await cli.print(reports, lines);
    });
}

const CALLER_COLUMNS: Columns<ReturnType<typeof callerJson>> = {
  ACCOUNT: ({ account }) => account ?? '?',
  KEY: ({ key }) => String(key),
  'LAST DAY': 'lastDay',
  WEEK: 'lastWeek',
  MONTH: 'lastMonth',
  'LAST SEEN': 'lastSeenAt',
  'FIRST SEEN': 'firstSeenAt',
  LABEL: 'label',
};

const BROWNOUT_COLUMNS: Columns<ReturnType<typeof brownoutJson>> = {
  START: 'startsAt',
  END: 'endsAt',
  STATE: 'state',
};
