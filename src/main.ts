#!/usr/bin/env bun
import { Command } from 'commander';
import { version } from '../package.json' with { type: 'json' };
import { explainStoreError } from './backends.ts';
import { accountsCommand } from './cli/accounts.ts';
import { auditCommand } from './cli/audit.ts';
import { completionCommand } from './cli/completion.ts';
import { conformanceCommand } from './cli/conformance.ts';
import { deprecationsCommand } from './cli/deprecations.ts';
import { healthCommand } from './cli/health.ts';
import { keysCommand } from './cli/keys.ts';
import { openapiCommand } from './cli/openapi.ts';
import { setCommand } from './cli/origin.ts';
import { isBrokenPipe } from './cli/output.ts';
import { petsCommand } from './cli/pets.ts';
import { plansCommand } from './cli/plans.ts';
import { serveCommand } from './cli/serve.ts';
import { storeCommand } from './cli/store.ts';
import { withSettingHint } from './cli/unknown-option.ts';
import { requireOwnSettings } from './cli/working-folder.ts';
import { readConfig, useOptions } from './config.ts';
import { OperatorError, StoreUnavailableError } from './domain/error.ts';

// Stores, backups and exports contain hashes of keys: the files are for this user only.
process.umask(0o077);

const program = new Command('animal-store')
  .description('A store of pets for sale, served as JSON over HTTP.')
  .version(version)
  .showHelpAfterError('(use --help for usage)')
  .addCommand(serveCommand())
  .addCommand(onStore(accountsCommand()))
  .addCommand(onStore(keysCommand()))
  .addCommand(onStore(plansCommand()))
  .addCommand(onStore(petsCommand()))
  .addCommand(onStore(deprecationsCommand()))
  .addCommand(onStore(storeCommand()))
  .addCommand(onStore(auditCommand()))
  .addCommand(healthCommand())
  .addCommand(openapiCommand())
  .addCommand(conformanceCommand())
  .addCommand(completionCommand())
  .hook('preAction', (_, command) => {
    requireOwnSettings(process.cwd(), process.execArgv);
    useOptions(command.opts());
    setCommand(command);
  });

for (const command of [program, ...descendants(program)]) {
  command.configureOutput({
    outputError: (text, write) => write(withSettingHint(command, text)),
  });
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

/** Adds the option that selects the store to every command of a group. */
function onStore(group: Command): Command {
  for (const command of descendants(group)) {
    command.option('--database <url>', 'the store; overrides DATABASE_URL');
  }
  return group;
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}

/** One line for what an operator can fix. Everything for a bug. */
function explain(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message;
  // For a full disk or a broken pipe, the system's own message is enough.
  if (error instanceof Error && 'syscall' in error) return error.message;
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  const explanation = explainStoreError(cause);
  return explanation === undefined
    ? error
    : `${explanation} Store: ${readConfig().database.description}`;
}
