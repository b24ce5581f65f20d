import { SETTINGS } from '../config.ts';
import { startLines } from '../service/start-report.ts';
import { nextStopSignal } from '../service/stop-signal.ts';
import type { Cli, CliCommand } from './cli.ts';

/** Beyond the time for a stop, to write the last lines of the log. */
const EXIT_SECONDS = 9.8;

/** Breaks lines after at most 74 characters, to fit a terminal with the indent. */
const SETTINGS_HELP = SETTINGS.map(
  ({ name, meaning, defaultValue }) =>
    `  ${name}\n${`${meaning} (default: ${defaultValue})`.replace(/(.{1,74})(?: |$)/g, '      $1\n')}`,
).join('');

export function define(command: CliCommand, cli: Cli): void {
  command
    .description('run the service; creates the store if necessary, and upgrades it')
    .option('--host <address>', 'overrides HOST')
    .option('--port <number>', 'overrides PORT')
    .addHelpText('after', `\nSettings, from the environment:\n${SETTINGS_HELP}`)
    .action(async () => {
      const { config, database, origin } = cli;
      const stopSignal = nextStopSignal(config.DRAIN_SECONDS + EXIT_SECONDS);
      // Imported here, since no other command needs this half of the program.
      const { startService } = await import('../service/service.ts');
      {
        await using service = await startService(config, database, origin);
        cli.mustBeRead = true;
        await cli.print(service.report, startLines(service.report));
        await stopSignal;
      }
      // Everything is saved, whether or not somebody reads this.
      await cli.remark(`Stopped. The data is in ${database.description}.`).catch(() => {});
    });
}
