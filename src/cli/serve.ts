import { SETTINGS } from '#config.ts';
import { nextStopSignal } from '#service/stop-signal.ts';
import type { Cli, CliCommand } from './cli.ts';

/** Allowed in addition to DRAIN_SECONDS, so that the last lines of the log can be written. */
const EXIT_SECONDS = 9.8;

/** Lines have at most 74 characters, which with the indent fit into a terminal of 80 columns. */
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
      // Imported here, because no other command needs this half of the program.
      const { startService } = await import('#service/service.ts');
      const { startLines, startReport } = await import('./start-report.ts');
      cli.draw(`Opening ${database.description}, and upgrading it if necessary`);
      {
        await using service = await startService(config, database, origin);
        cli.mustBeRead = true;
        const report = startReport(config, database, service);
        await cli.print(report, startLines(report));
        await stopSignal;
      }
      // Everything is saved, so it does not matter if nobody can read this line.
      await cli.remark(`Stopped. The data is in ${database.description}.`).catch(() => {});
    });
}
