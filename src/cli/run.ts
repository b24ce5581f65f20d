import { Command, CommanderError } from 'commander';
import { version } from '../../package.json' with { type: 'json' };
import { NotFoundError, OperatorError, StoreUnavailableError } from '../domain/error.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import { explainStoreError } from '../stores/backends.ts';
import { Cli, type Io, isBrokenPipe } from './cli.ts';
import { printable } from './text.ts';

interface CommandModule {
  /** Declares a command, or a group of commands, that runs with these settings and streams. */
  command(cli: Cli): Command;
}

/** In the order of the help. Only what is used is loaded, which halves the time of a command. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandModule>>> = {
  serve: () => import('./serve.ts'),
  accounts: () => import('./accounts.ts'),
  keys: () => import('./keys.ts'),
  plans: () => import('./plans.ts'),
  pets: () => import('./pets.ts'),
  deprecations: () => import('./deprecations.ts'),
  staging: () => import('./staging.ts'),
  store: () => import('./store.ts'),
  audit: () => import('./audit.ts'),
  health: () => import('./health.ts'),
  openapi: () => import('./openapi.ts'),
  conformance: () => import('./conformance.ts'),
};

const WITHOUT_STORE = ['health', 'openapi', 'conformance'];

/** Exit code 1 of this command means that a check failed, so a usage error must not return it. */
const USAGE_ERRORS: Readonly<Record<string, number>> = { conformance: 2 };

const HELP_WIDTH = 80;

/** Runs the command that the arguments name, and returns its exit code. */
export async function runCommand(given: readonly string[], io: Io): Promise<number> {
  const cli = new Cli(io);
  // Commander's own help knows groups of commands, but not the commands in them.
  const args = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  const program = new Command('animal-store')
    .description('A store of pets for sale, served as JSON over HTTP.')
    .version(version)
    .showHelpAfterError('(use --help for usage)')
    .hook('preAction', (_, command) => cli.begin(command));
  const [name = ''] = args;
  const isKnown = Object.hasOwn(COMMANDS, name);
  for (const [each, load] of Object.entries(COMMANDS)) {
    if (isKnown && each !== name) continue;
    const command = (await load()).command(cli);
    addOptions(command, !WITHOUT_STORE.includes(each));
    program.addCommand(command);
  }
  const shown = catchOutput(program, io);
  try {
    await program.parseAsync(args, { from: 'user' }).catch(async (error) => {
      if (!(error instanceof CommanderError)) throw error;
      cli.exitCode = error.exitCode === 0 ? 0 : (USAGE_ERRORS[name] ?? error.exitCode);
      await io.stdout.write(shown.out);
      await io.stderr.write(redactSecrets(shown.err));
    });
  } catch (error) {
    // The reader closed the pipe: exit quietly.
    if (isBrokenPipe(error) && !cli.mustBeRead) return cli.exitCode;
    // A message may quote text that came from somebody else, or a key in the place of a name.
    const lines = redactSecrets(explain(error, cli)).split('\n').map(printable);
    await io.stderr.write(`${lines.join('\n')}\n`);
    return cli.exitCode || 1;
  }
  return cli.exitCode;
}

/** Adds the options that all commands of a group have. */
function addOptions(command: Command, usesStore: boolean): void {
  for (const child of command.commands) addOptions(child, usesStore);
  if (command.commands.length > 0) return;
  command.option('--json', 'print JSON');
  if (usesStore) command.option('--database <url>', 'the store; overrides DATABASE_URL');
}

/** Commander writes help and usage errors, and ends the process, unless it is told otherwise. */
function catchOutput(command: Command, io: Io, shown = { out: '', err: '' }) {
  command.exitOverride().configureOutput({
    writeOut: (text) => {
      shown.out += text;
    },
    writeErr: (text) => {
      shown.err += text;
    },
    getOutHelpWidth: () => io.stdout.columns ?? HELP_WIDTH,
    getErrHelpWidth: () => io.stderr.columns ?? HELP_WIDTH,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  });
  for (const child of command.commands) catchOutput(child, io, shown);
  return shown;
}

/** One line for what an operator can fix. Everything for a bug. */
function explain(error: unknown, cli: Cli): string {
  if (error instanceof NotFoundError) return `${error.message} ${error.hint}`.trimEnd();
  if (error instanceof OperatorError) return error.message;
  // For a file that cannot be read, the system's own message is enough.
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
