import { Command } from 'commander';
import { platform } from '../platform.ts';
import { createConformanceKeys } from './conformance-keys.ts';
import { openForCommand } from './open-store.ts';
import { type JsonOption, printChange } from './output.ts';

const KEYS_HELP = `
Revokes the keys of an earlier call. In a shell:

  export $(animal-store staging keys)
  animal-store conformance <url of staging> --other <url of production>`;

export function stagingCommand(): Command {
  const command = new Command('staging').description('prepare a rehearsal on staging');

  command
    .command('reset')
    .argument('<account>', 'the account')
    .description('clear the test clock, counts, bans and idempotency keys of an account')
    .option('--json', 'print JSON')
    .action(async (account: string, { json }: JsonOption) => {
      await using store = await openForCommand();
      await store.staging.reset(account, platform.now());
      await printChange(store, json, { account }, [
        `Reset account "${account}" to the real time, without counts and bans.`,
      ]);
    });

  command
    .command('keys')
    .description('create accounts and keys for "animal-store conformance", and print its variables')
    .option('--json', 'print JSON')
    .addHelpText('after', KEYS_HELP)
    .action(async ({ json }: JsonOption) => {
      await using store = await openForCommand();
      const variables = await createConformanceKeys(store);
      const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      await printChange(store, json, variables, lines);
    });

  return command;
}
