import { Command } from 'commander';
import { REMOVALS } from '../contract/operations.ts';
import { planBrownout } from '../domain/brownout.ts';
import { OperatorError } from '../domain/error.ts';
import { brownoutJson } from '../domain/operator/operator-json.ts';
import { formatTime, parseDuration, parseStart, START_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { parseWholeNumber } from './arguments.ts';
import { printDeprecations } from './deprecation-report.ts';
import { nextCommand } from './next-command.ts';
import { openForCommand } from './open-store.ts';
import { type JsonOption, printChange } from './output.ts';
import { printTable } from './table.ts';

interface BrownoutOptions extends JsonOption {
  readonly at?: string;
  readonly for: string;
  readonly now?: boolean;
}

const STATE_COLORS = {
  planned: 'yellow',
  active: 'red',
  over: 'gray',
  cancelled: 'gray',
} as const;

export function deprecationsCommand(): Command {
  const command = new Command('deprecations').description('retire deprecated operations');

  command
    .command('report', { isDefault: true })
    .description('show which keys still call a deprecated operation, and how often (the default)')
    .option('--json', 'print JSON')
    .allowExcessArguments()
    .action(async ({ json }: JsonOption, { args: [unknown] }: Command) => {
      // A misspelt command arrives here, because this one is the default.
      if (unknown !== undefined) {
        throw new OperatorError(
          `Unknown command "${unknown}". "deprecations --help" shows all commands.`,
        );
      }
      await using store = await openForCommand();
      await printDeprecations(store, json, platform.now());
    });

  command
    .command('brownout')
    .argument('<operation>', `a deprecated operation: ${[...REMOVALS.keys()].join(', ')}`)
    .description('schedule a rehearsal of the removal, in which the operation returns 410')
    .option('--at <time>', `its start: ${START_FORMS}`)
    .requiredOption('--for <duration>', 'how long it lasts, such as 15m')
    .option('--now', 'begin at once, or at a time that is less than an hour ahead')
    .option('--json', 'print JSON')
    .action(async (operation: string, { at, for: duration, now, json }: BrownoutOptions) => {
      const nowMs = platform.now();
      if (at === undefined && !now) {
        throw new OperatorError(
          'Say when the brownout begins: add --at, or --now to begin at once.',
        );
      }
      const wish = {
        operation,
        startsAtMs: at === undefined ? nowMs : parseStart(at, nowMs),
        durationMs: parseDuration(duration),
        nowMs,
        isUrgent: now === true,
      };
      const planned = planBrownout(wish, REMOVALS);
      await using store = await openForCommand();
      const brownout = await store.brownouts.scheduleBrownout(planned);
      const { id, startsAtMs, endsAtMs } = brownout;
      await printChange(store, json, brownoutJson(brownout, nowMs), [
        `Scheduled brownout ${id}: ${operation} returns 410 from ${formatTime(startsAtMs)} to ${formatTime(endsAtMs)}.`,
        `To cancel it: ${nextCommand('deprecations', 'cancel', String(id))}`,
      ]);
    });

  command
    .command('brownouts')
    .description('list all brownouts')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      await using store = await openForCommand();
      const brownouts = await store.brownouts.listBrownouts();
      const nowMs = platform.now();
      await printTable(
        json,
        brownouts.map((each) => brownoutJson(each, nowMs)),
        [
          { heading: 'ID', cell: ({ id }) => String(id), align: 'right' },
          { heading: 'OPERATION', cell: ({ operation }) => operation },
          {
            heading: 'STATE',
            cell: ({ state }) => state,
            color: ({ state }) => STATE_COLORS[state],
          },
          { heading: 'START', cell: ({ startsAt }) => startsAt },
          { heading: 'END', cell: ({ endsAt }) => endsAt },
        ],
      );
    });

  command
    .command('cancel')
    .argument('<id>', 'the brownout', parseWholeNumber)
    .description('cancel a brownout that is planned or active; takes effect within seconds')
    .option('--json', 'print JSON')
    .action(async (id: number, { json }: JsonOption) => {
      await using store = await openForCommand();
      const nowMs = platform.now();
      const brownout = await store.brownouts.cancelBrownout(id, nowMs);
      await printChange(store, json, brownoutJson(brownout, nowMs), [
        nowMs < brownout.startsAtMs
          ? `Cancelled brownout ${id} of ${brownout.operation}, which would have begun at ${formatTime(brownout.startsAtMs)}.`
          : `Cancelled brownout ${id} of ${brownout.operation}, which would have ended at ${formatTime(brownout.endsAtMs)}.`,
      ]);
    });

  return command;
}
