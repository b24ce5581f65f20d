import { Command } from 'commander';
import { platform } from '../platform.ts';
import type { Cli } from './cli.ts';
import { createConformanceKeys } from './conformance-keys.ts';

const KEYS_HELP = `
Revokes the keys of an earlier call. In a shell:

  export $(animal-store staging keys)
  animal-store conformance <url of staging> --other <url of production>`;

export function stagingCommand(cli: Cli): Command {
  const command = new Command('staging').description('prepare a rehearsal on staging');

  command
    .command('reset')
    .argument('<account>', 'the account')
    .description('clear the test clock, counts, bans and idempotency keys of an account')
    .action(async (account: string) => {
      await using store = await cli.openStore();
      await store.staging.reset(account, platform.now());
      await cli.printChange(store, { account }, [
        `Reset account "${account}" to the real time, without counts and bans.`,
      ]);
    });

  command
    .command('keys')
    .description('create accounts and keys for "animal-store conformance", and print its variables')
    .addHelpText('after', KEYS_HELP)
    .action(async () => {
      await using store = await cli.openStore();
      const variables = await createConformanceKeys(store);
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      await cli.printChange(store, variables, lines);
    });

  return command;
}
