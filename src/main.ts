#!/usr/bin/env bun
import { Command } from 'commander';
import { version } from '../package.json' with { type: 'json' };
import { setCommand } from './cli/origin.ts';
import { isBrokenPipe } from './cli/output.ts';
import { requireOwnSettings } from './cli/working-folder.ts';
import { readConfig, useOptions } from './config.ts';
import { OperatorError, StoreUnavailableError } from './domain/error.ts';
import { explainStoreError } from './stores/backends.ts';

// Stores, backups and exports contain hashes of keys: the files are for this user only.
process.umask(0o077);

/** In the order of the help. Only what is used is loaded, which halves the time of a command. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand(),
  accounts: async () => onStore((await import('./cli/accounts.ts')).accountsCommand()),
  keys: async () => onStore((await import('./cli/keys.ts')).keysCommand()),
  plans: async () => onStore((await import('./cli/plans.ts')).plansCommand()),
  pets: async () => onStore((await import('./cli/pets.ts')).petsCommand()),
  deprecations: async () => onStore((await import('./cli/deprecations.ts')).deprecationsCommand()),
  staging: async () => onStore((await import('./cli/staging.ts')).stagingCommand()),
  store: async () => onStore((await import('./cli/store.ts')).storeCommand()),
  audit: async () => onStore((await import('./cli/audit.ts')).auditCommand()),
  health: async () => (await import('./cli/health.ts')).healthCommand(),
  openapi: async () => (await import('./cli/openapi.ts')).openapiCommand(),
  conformance: async () => (await import('./cli/conformance.ts')).conformanceCommand(),
};

const program = new Command('animal-store')
  .description('A store of pets for sale, served as JSON over HTTP.')
  .version(version)
  .showHelpAfterError('(use --help for usage)')
  .hook('preAction', (_, command) => {
    requireOwnSettings(process.cwd(), process.execArgv);
    useOptions(command.opts());
    setCommand(command);
  });

const [, , name = ''] = process.argv;
const isKnown = Object.hasOwn(COMMANDS, name);
for (const load of isKnown ? [COMMANDS[name]] : Object.values(COMMANDS)) {
  if (load !== undefined) program.addCommand(await load());
}

try {
  await program.parseAsync();
  process.exit(process.exitCode ?? 0);
} catch (error) {
  // The reader closed the pipe: exit quietly.
  if (isBrokenPipe(error)) process.exit(process.exitCode ?? 0);
  console.error(explain(error));
  process.exit(process.exitCode || 1);
}

/** Adds the option that selects the store to a command, or to every command of a group. */
function onStore(command: Command): Command {
  if (command.commands.length === 0) {
    return command.option('--database <url>', 'the store; overrides DATABASE_URL');
  }
  for (const child of command.commands) onStore(child);
  return command;
}

/** One line for what an operator can fix. Everything for a bug. */
function explain(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message;
  // For a full disk or a broken pipe, the system's own message is enough.
  if (error instanceof Error && 'syscall' in error) return error.message;
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  const explanation = explainStoreError(cause);
  if (explanation === undefined) return error;
  const store = readConfig().database.description;
  return explanation.includes(store) ? explanation : `${explanation} Store: ${store}`;
}
