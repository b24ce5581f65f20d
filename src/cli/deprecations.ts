import { Command } from 'commander';
import { REMOVALS } from '../contract/operations.ts';
import { planBrownout } from '../domain/brownout.ts';
import { OperatorError } from '../domain/error.ts';
import { brownoutJson } from '../domain/operator/operator-json.ts';
import { formatTime, parseDuration, parseStart, START_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { type Cli, parseWholeNumber } from './cli.ts';
import { printDeprecations } from './deprecation-report.ts';

interface BrownoutOptions {
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

export function deprecationsCommand(cli: Cli): Command {
  const command = new Command('deprecations').description('retire deprecated operations');

  command
    .command('report', { isDefault: true })
    .description('show which keys still call a deprecated operation, and how often (the default)')
    .allowExcessArguments()
    .action(async (_: object, { args: [unknown] }: Command) => {
      // A misspelt command arrives here, because this one is the default.
      if (unknown !== undefined) {
        throw new OperatorError(
          `Unknown command "${unknown}". "deprecations --help" shows all commands.`,
        );
      }
      await using store = await cli.openStore();
      await printDeprecations(cli, store, platform.now());
    });

  command
    .command('brownout')
    .argument('<operation>', `a deprecated operation: ${[...REMOVALS.keys()].join(', ')}`)
    .description('schedule a rehearsal of the removal, in which the operation returns 410')
    .option('--at <time>', `its start: ${START_FORMS}`)
    .requiredOption('--for <duration>', 'how long it lasts, such as 15m')
    .option('--now', 'begin at once, or at a time that is less than an hour ahead')
    .action(async (operation: string, { at, for: duration, now }: BrownoutOptions) => {
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
      await using store = await cli.openStore();
      const brownout = await store.brownouts.scheduleBrownout(planned);
      const { id, startsAtMs, endsAtMs } = brownout;
      await cli.printChange(store, brownoutJson(brownout, nowMs), [
        `Scheduled brownout ${id}: ${operation} returns 410 from ${formatTime(startsAtMs)} to ${formatTime(endsAtMs)}.`,
        '"deprecations cancel" cancels it.',
      ]);
    });

  command
    .command('brownouts')
    .description('list all brownouts')
    .action(async () => {
      await using store = await cli.openStore();
      const brownouts = await store.brownouts.listBrownouts();
      const nowMs = platform.now();
      await cli.printTable(
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
    .action(async (id: number) => {
      await using store = await cli.openStore();
      const nowMs = platform.now();
      const brownout = await store.brownouts.cancelBrownout(id, nowMs);
      await cli.printChange(store, brownoutJson(brownout, nowMs), [
        nowMs < brownout.startsAtMs
          ? `Cancelled brownout ${id} of ${brownout.operation}, which would have begun at ${formatTime(brownout.startsAtMs)}.`
          : `Cancelled brownout ${id} of ${brownout.operation}, which would have ended at ${formatTime(brownout.endsAtMs)}.`,
      ]);
    });

  return command;
}
