#!/usr/bin/env bun
import { Command } from 'commander';
import { version } from '../package.json' with { type: 'json' };
import { accountsCommand } from './cli/accounts.ts';
import { keysCommand } from './cli/keys.ts';
import { serveCommand } from './cli/serve.ts';
import { OperatorError } from './domain/error.ts';

const program = new Command('animal-store')
  .description('A JSON-over-HTTP store of animals for sale.')
  .version(version)
  .showHelpAfterError('(add --help to see what is possible)')
  .addCommand(serveCommand())
  .addCommand(accountsCommand())
  .addCommand(keysCommand());

try {
  await program.parseAsync();
  process.exit(0);
} catch (error) {
  if (error instanceof OperatorError) console.error(error.message);
  else console.error(error);
  process.exit(1);
}
