import { type Command, CommanderError } from 'commander';
import { NotFoundError, OperatorError, StoreUnavailableError } from '#domain/error.ts';
import { redactSecrets } from '#domain/key-secret.ts';
import { explainStoreError } from '#stores/backends.ts';
import { version } from '../../package.json' with { type: 'json' };
import { Cli, CliCommand, type Io } from './cli.ts';

/**
 * The files that define the commands and groups of commands, in the order of the help. Loading only the group that is
 * used halves the time of a short command.
 */
const COMMANDS = {
  serve: () => import('./serve.ts'),
  accounts: () => import('./accounts.ts'),
  keys: () => import('./keys.ts'),
  plans: () => import('./plans.ts'),
  pets: () => import('./pets.ts'),
  deprecations: () => import('./deprecations.ts'),
  requests: () => import('./requests.ts'),
  staging: () => import('./staging.ts'),
  operators: () => import('./operators.ts'),
  store: () => import('./store.ts'),
  audit: () => import('./audit.ts'),
  health: () => import('./health.ts'),
  openapi: () => import('./openapi.ts'),
  conformance: () => import('./conformance.ts'),
};

const HELP_WIDTH = 80;

/** Runs the command that the arguments name, and returns its exit code. */
export async function runCommand(given: readonly string[], io: Io): Promise<number> {
  const cli = new Cli(io, given.includes('--json'));
  // The help command of commander knows the groups, but not the commands in them.
  const isHelp = given[0] === 'help';
  const words = isHelp ? given.slice(1).filter((word) => !word.startsWith('-')) : given;
  const [name = ''] = words;
  const isKnown = Object.hasOwn(COMMANDS, name);
  let failure = 1;
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const program = new CliCommand(cli, 'animal-store')
    .description('A store of pets for sale, served as JSON over HTTP.')
    .version(version)
    .option('--json', 'print JSON')
    .option('--database <url>', 'the store; overrides DATABASE_URL')
    .configureHelp({ showGlobalOptions: true, helpWidth: HELP_WIDTH })
    // By default, commander writes to the streams of the process and ends it.
    .configureOutput({ writeOut: print, writeErr: print })
    .exitOverride()
    .showHelpAfterError('(use "help" for usage)')
    .hook('preSubcommand', (_, command) => {
      // Exit code 1 of this command means that a check failed, so an error needs another one.
      if (command.name() === 'conformance') failure = 2;
    })
    .hook('preAction', (_, command) => cli.begin(command));
  for (const [each, load] of Object.entries(COMMANDS)) {
    if (isKnown && each !== name) continue;
    (await load()).define(program.command(each), cli);
  }
  const args = isHelp ? askForHelp(program, words) : words;
  try {
    await program.parseAsync(args, { from: 'user' }).catch(async (error) => {
      if (!(error instanceof CommanderError)) throw error;
      cli.exitCode = error.exitCode && failure;
      const text = redactSecrets(printed);
      if (cli.exitCode === 0) await cli.write(text);
      else await cli.report('error', text.trimEnd());
    });
  } catch (error) {
    // The reader closed the pipe, as `head` does: exit quietly.
    if ((error as { code?: string }).code === 'EPIPE' && !cli.mustBeRead) return cli.exitCode;
    // A message may quote text from a stranger, or a key that was typed in place of a name.
    await cli.report('error', redactSecrets(explain(error, cli)));
    return Math.max(cli.exitCode, failure);
  }
  return cli.exitCode;
}

/**
 * The arguments that print the help of a command. Anything after the command is dropped, so that it never runs. An
 * unknown command is refused as it is without "help".
 */
function askForHelp({ commands }: Command, [name, ...rest]: readonly string[]): string[] {
  if (name === undefined || commands.length === 0) return ['--help'];
  const command = commands.find((each) => each.name() === name);
  return [name, ...(command === undefined ? rest : askForHelp(command, rest))];
}

/** One line for an error that the operator can fix, and the whole error for a bug. */
function explain(error: unknown, cli: Cli): string {
  if (error instanceof NotFoundError) return `${error.message} ${error.hint}`.trimEnd();
  if (error instanceof OperatorError) return error.message;
  // For a file that cannot be read, the message of the system says enough.
  if (error instanceof Error && 'syscall' in error) {
    if (error.syscall !== 'write') return error.message;
    const lost = cli.mustBeRead ? ' If it was to show a key, revoke that key.' : '';
    return `Cannot write to standard output: ${error.message}.${lost}`;
  }
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  const explanation = explainStoreError(cause);
  if (explanation === undefined) return Bun.inspect(error);
  const store = cli.database.description;
  return explanation.includes(store) ? explanation : `${explanation} Store: ${store}`;
}
