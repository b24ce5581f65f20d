#!/usr/bin/env bun
import { SQLiteError } from 'bun:sqlite';
import { SQL } from 'bun';
import { Command } from 'commander';
import { version } from '../package.json' with { type: 'json' };
import { accountsCommand } from './cli/accounts.ts';
import { conformanceCommand } from './cli/conformance.ts';
import { keysCommand } from './cli/keys.ts';
import { openapiCommand } from './cli/openapi.ts';
import { isBrokenPipe } from './cli/output.ts';
import { serveCommand } from './cli/serve.ts';
import { storeCommand } from './cli/store.ts';
import { AppError, OperatorError } from './domain/error.ts';

const program = new Command('animal-store')
  .description('Keeps the animals of a shop, and answers for them over HTTP.')
  .version(version)
  .showHelpAfterError('(use --help for usage)')
  .addCommand(serveCommand())
  .addCommand(accountsCommand())
  .addCommand(keysCommand())
  .addCommand(storeCommand())
  .addCommand(openapiCommand())
  .addCommand(conformanceCommand());

try {
  await program.parseAsync();
  process.exit(process.exitCode ?? 0);
} catch (error) {
  // Who pipes into `head` has read enough.
  if (isBrokenPipe(error)) process.exit(process.exitCode ?? 0);
  console.error(explain(error));
  process.exit(process.exitCode || 1);
}

/** One line for what an operator can mend; all there is for a fault of ours. */
function explain(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message;
  // A disk that is full, a pipe that broke: the system's own words say it.
  if (error instanceof Error && 'syscall' in error) return error.message;
  const cause = error instanceof AppError ? error.cause : error;
  if (cause instanceof SQLiteError) return `The data file cannot be used: ${cause.message}.`;
  if (cause instanceof SQL.PostgresError) return `PostgreSQL cannot be used: ${cause.message}.`;
  return error;
}
