import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { startLines } from '../service/start-report.ts';
import { nextStopSignal } from '../service/stop-signal.ts';
import { type JsonOption, print } from './output.ts';
import { settingsHelp } from './settings-help.ts';

/** Beyond the time for requests in flight, to save counts and close the store. */
const STOP_DEADLINE_SECONDS = 9.5;

export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service; creates the store if necessary, and upgrades it')
    .option('--host <address>', 'overrides HOST')
    .option('--port <number>', 'overrides PORT')
    .option('--database <url>', 'overrides DATABASE_URL')
    .option('--json', 'print the addresses as JSON')
    .addHelpText('after', ({ command }) => settingsHelp(command))
    .action(async ({ json }: JsonOption) => {
      const config = readConfig();
      const stopSignal = nextStopSignal();
      // Imported here, since no other command needs this half of the program.
      const { startService } = await import('../service/service.ts');
      await using service = await startService(config);
      await print(json, service.report, startLines(service.report));
      await stopSignal;
      exitAfter(config.drainSeconds + STOP_DEADLINE_SECONDS);
    });
}

/** A disk that hangs must not keep the process from exiting. */
function exitAfter(seconds: number): void {
  const giveUp = () => {
    console.error('Stopped before everything in flight was finished and saved.');
    process.exit(1);
  };
  setTimeout(giveUp, seconds * 1000).unref();
}
