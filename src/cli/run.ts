import { Command, CommanderError } from 'commander';
import { version } from '../../package.json' with { type: 'json' };
import { OperatorError, StoreUnavailableError } from '../domain/error.ts';
import { explainStoreError } from '../stores/backends.ts';
import { Cli, type Io, isBrokenPipe } from './cli.ts';
import { printable, styled } from './printable.ts';

/** In the order of the help. Only what is used is loaded, which halves the time of a command. */
const COMMANDS: Readonly<Record<string, (cli: Cli) => Promise<Command>>> = {
  serve: async (cli) => (await import('./serve.ts')).serveCommand(cli),
  accounts: async (cli) => (await import('./accounts.ts')).accountsCommand(cli),
  keys: async (cli) => (await import('./keys.ts')).keysCommand(cli),
  plans: async (cli) => (await import('./plans.ts')).plansCommand(cli),
  pets: async (cli) => (await import('./pets.ts')).petsCommand(cli),
  deprecations: async (cli) => (await import('./deprecations.ts')).deprecationsCommand(cli),
  staging: async (cli) => (await import('./staging.ts')).stagingCommand(cli),
  store: async (cli) => (await import('./store.ts')).storeCommand(cli),
  audit: async (cli) => (await import('./audit.ts')).auditCommand(cli),
  health: async (cli) => (await import('./health.ts')).healthCommand(cli),
  openapi: async (cli) => (await import('./openapi.ts')).openapiCommand(cli),
  conformance: async (cli) => (await import('./conformance.ts')).conformanceCommand(cli),
};

const WITHOUT_STORE = ['serve', 'health', 'openapi', 'conformance'];

/** Exit code 1 of this command means that a check failed, so a usage error must not return it. */
const USAGE_ERRORS: Readonly<Record<string, number>> = { conformance: 2 };

const HELP_WIDTH = 80;

/** Runs the command that the arguments name, and returns its exit code. */
export async function runCommand(args: readonly string[], io: Io): Promise<number> {
  using cli = new Cli(io);
  const program = new Command('animal-store')
    .description('A store of pets for sale, served as JSON over HTTP.')
    .version(version)
    .showHelpAfterError('(use --help for usage)')
    .hook('preAction', (_, command) => cli.begin(command));
  const [name = ''] = args;
  const isKnown = Object.hasOwn(COMMANDS, name);
  for (const [each, load] of Object.entries(COMMANDS)) {
    if (isKnown && each !== name) continue;
    const command = await load(cli);
    addOptions(command, !WITHOUT_STORE.includes(each));
    program.addCommand(command);
  }
  const shown = catchOutput(program, io);
  try {
    await program.parseAsync(args, { from: 'user' }).catch(async (error) => {
      if (!(error instanceof CommanderError)) throw error;
      cli.exitCode = error.exitCode === 0 ? 0 : (USAGE_ERRORS[name] ?? error.exitCode);
      await io.stdout.write(shown.out);
      await io.stderr.write(shown.err);
    });
  } catch (error) {
    // The reader closed the pipe: exit quietly.
    if (isBrokenPipe(error)) return cli.exitCode;
    // A message may quote text that came from somebody else.
    const lines = explain(error, cli).split('\n').map(printable);
    await cli.remark(styled('red', lines.join('\n'), io.stderr));
    return cli.exitCode || 1;
  }
  return cli.exitCode;
}

/** Adds the options that all commands of a group have. */
function addOptions(command: Command, usesStore: boolean): void {
  for (const child of command.commands) addOptions(child, usesStore);
  if (command.commands.length > 0) return;
  if (!command.options.some(({ long }) => long === '--json')) {
    command.option('--json', 'print JSON');
  }
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
  if (error instanceof OperatorError) return error.message;
  // For a full disk or a broken pipe, the system's own message is enough.
  if (error instanceof Error && 'syscall' in error) return error.message;
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  const explanation = explainStoreError(cause);
  if (explanation === undefined) return Bun.inspect(error);
  const store = cli.config.database.description;
  return explanation.includes(store) ? explanation : `${explanation} Store: ${store}`;
}
