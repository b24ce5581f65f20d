import { daysUntil } from '#contract/api.ts';
import { REMOVALS } from '#contract/operations.ts';
import { callersOf } from '#domain/operator/history.ts';
import { brownoutJson, callerJson } from '#domain/operator/operator-json.ts';
import { formatDay } from '#domain/time-text.ts';
import { platform } from '#platform.ts';
import type { CliCommand } from './cli.ts';
import { type Columns, formatTable, plural } from './text.ts';

export function define(command: CliCommand): void {
  command
    .description('show the brownouts, and the keys that still call a deprecated operation')
    .withStore(async ({ cli, store }) => {
      const nowMs = platform.now();
      const keys = new Map((await store.accounts.listKeys()).map((key) => [key.id, key]));
      const brownouts = cli.config.BROWNOUTS.map((brownout) => brownoutJson(brownout, nowMs));
      const reports = await Array.fromAsync(REMOVALS, async ([operation, removedAtMs]) => {
        const callers = await callersOf(store.history.read({ operation, sinceMs: 0 }), nowMs);
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
          ? ['The usage history has no requests for it.']
          : formatTable(CALLER_COLUMNS, callers)),
        '',
      ]);
      // The setting of the service may differ from that of this shell, so the lines name their source.
      if (brownouts.length === 0) lines.push('No brownouts: BROWNOUTS is not set in this shell.');
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
