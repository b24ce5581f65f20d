import { Command } from 'commander';
import { SETTINGS } from '../config.ts';
import { startLines } from '../service/start-report.ts';
import { exitAfter, nextStopSignal } from '../service/stop-signal.ts';
import type { Cli } from './cli.ts';

/** Beyond the time for requests in flight, to save counts and close the store. */
const STOP_DEADLINE_SECONDS = 9.5;

export function command(cli: Cli): Command {
  return new Command('serve')
    .description('run the service; creates the store if necessary, and upgrades it')
    .option('--host <address>', 'overrides HOST')
    .option('--port <number>', 'overrides PORT')
    .option('--database <url>', 'overrides DATABASE_URL')
    .addHelpText('after', ({ command }) => settingsHelp(command))
    .action(async () => {
      const { config, origin } = cli;
      const stopSignal = nextStopSignal();
      // Imported here, since no other command needs this half of the program.
      const { startService } = await import('../service/service.ts');
      await using service = await startService(config, { origin, program: cli.io.program });
      await cli.print(service.report, startLines(service.report));
      await stopSignal;
      exitAfter(config.DRAIN_SECONDS + STOP_DEADLINE_SECONDS);
    });
}

/** Every setting with its default, for the end of the help. */
function settingsHelp(command: Command): string {
  const helper = command.createHelp();
  const { getOutHelpWidth } = command.configureOutput();
  helper.prepareContext({ helpWidth: getOutHelpWidth?.() ?? 0 });
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const items = SETTINGS.map(({ name, meaning, defaultValue }) =>
    helper.formatItem(name, width, `${meaning} (default: ${defaultValue})`, helper),
  );
  return ['', 'Settings, from the environment:', ...items].join('\n');
}
