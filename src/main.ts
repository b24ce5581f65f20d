#!/usr/bin/env bun
import { Command } from 'commander';
import { version } from '../package.json' with { type: 'json' };
import { BACKEND_KINDS } from './backends.ts';
import { accountsCommand } from './cli/accounts.ts';
import { conformanceCommand } from './cli/conformance.ts';
import { healthCommand } from './cli/health.ts';
import { keysCommand } from './cli/keys.ts';
import { openapiCommand } from './cli/openapi.ts';
import { isBrokenPipe } from './cli/output.ts';
import { serveCommand } from './cli/serve.ts';
import { storeCommand } from './cli/store.ts';
import { OperatorError, StoreUnavailableError } from './domain/error.ts';

const program = new Command('animal-store')
  .description('A store of pets for sale, served as JSON over HTTP.')
  .version(version)
  .showHelpAfterError('(use --help for usage)')
  .addCommand(serveCommand())
  .addCommand(accountsCommand())
  .addCommand(keysCommand())
  .addCommand(storeCommand())
  .addCommand(healthCommand())
  .addCommand(openapiCommand())
  .addCommand(conformanceCommand());

try {
  await program.parseAsync();
  process.exit(process.exitCode ?? 0);
} catch (error) {
  // The reader closed the pipe: exit quietly.
  if (isBrokenPipe(error)) process.exit(process.exitCode ?? 0);
  console.error(explain(error));
  process.exit(process.exitCode || 1);
}

/** One line for what an operator can fix. Everything for a bug. */
function explain(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message;
  // For a full disk or a broken pipe, the system's own message is enough.
  if (error instanceof Error && 'syscall' in error) return error.message;
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  for (const kind of BACKEND_KINDS) {
    const explanation = kind.explain(cause);
    if (explanation !== undefined) return explanation;
  }
  return error;
}
