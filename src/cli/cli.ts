import { Command, InvalidArgumentError } from 'commander';
import { type Config, type OptionValues, readConfig } from '../config.ts';
import type { Backend, OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { wholeNumber } from '../domain/int64.ts';
import { exactJson } from '../domain/json.ts';
import type { Origin } from '../domain/operator/audit.ts';
import { type Output, platform } from '../platform.ts';
import { backendAt } from '../stores/backends.ts';
import { type Columns, formatTable, printable } from './text.ts';

/** The parts of the process that a command uses. A test passes its own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Reads standard input. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Asks the operator a question. Undefined if standard input is not a terminal. */
  readonly ask?: ((question: string, isSecret?: boolean) => Promise<string>) | undefined;
  /** The name of the user that runs the command. */
  readonly userName: () => string;
}

/** The result of a change: for a program, and as lines for a person. */
export type PrintedChange = readonly [value: object, ...lines: string[]];

/** One run of a command: its settings, its store and its output. */
export class Cli {
  readonly io: Io;
  exitCode = 0;
  /** The output may have a key, which nothing shows again. */
  mustBeRead = false;
  #command = '';
  #options: OptionValues & { readonly json?: boolean; readonly yes?: boolean } = {};

  constructor(io: Io) {
    this.io = io;
  }

  /** The arguments chose this command. */
  begin(command: Command): void {
    this.#options = command.optsWithGlobals();
    const words: string[] = [];
    // The root is the program.
    for (let each = command; each.parent !== null; each = each.parent) words.unshift(each.name());
    this.#command = words.join(' ');
  }

  get config(): Config {
    return readConfig(this.#options, this.io.env);
  }

  /** Nothing is open yet. */
  get database(): Backend {
    return backendAt({ ...this.config.database, ...platform });
  }

  /** The command that runs and its user, for the audit. */
  get origin(): Origin {
    const { env, userName } = this.io;
    return {
      command: this.#command,
      // Asked for only by changes: it takes a process. With sudo, a command has another user.
      get operator() {
        return env['SUDO_USER'] || userName();
      },
    };
  }

  write(text: string): Promise<void> {
    return this.io.stdout.write(text);
  }

  /** Prints lines for a person or, with --json, one value for a program. */
  async print(value: unknown, lines: readonly string[]): Promise<void> {
    const shown = this.#options.json ? [exactJson(value)] : lines;
    if (shown.length > 0) await this.write(`${shown.map(printable).join('\n')}\n`);
  }

  /** Prints the result of a change, and names the store that was changed. */
  async printChange([value, ...lines]: PrintedChange): Promise<void> {
    const { description } = this.database;
    this.mustBeRead = true;
    await this.print({ ...value, store: description }, lines);
    await this.remark(`Store: ${description}`);
  }

  printTable<Row>(rows: readonly Row[], columns: Columns<Row>): Promise<void> {
    return this.print(rows, formatTable(columns, rows));
  }

  /** A line next to the output, for a person. Undefined if there is nothing to say. */
  async remark(line: string | undefined): Promise<void> {
    if (line === undefined || this.#options.json) return;
    await this.io.stderr.write(`${printable(line)}\n`);
  }

  /** Throws unless the operator agrees, now or with --yes. */
  async confirm(question: string): Promise<void> {
    if (this.#options.yes) return;
    if (this.io.ask === undefined) {
      throw new OperatorError('Nothing was changed: without a terminal, add --yes.');
    }
    const answer = await this.io.ask(`${printable(question)} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('Nothing was changed.');
  }
}

/** A command whose action may use the store. */
export class CliCommand extends Command {
  readonly #cli: Cli;

  constructor(cli: Cli, name?: string) {
    super(name);
    this.#cli = cli;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.#cli, name);
  }

  /** Sets an action with the store open. Services may run at the same time. */
  withStore<Args extends unknown[]>(
    action: (store: OperatorStore, ...args: Args) => Promise<void>,
  ): this {
    return this.action(async (...args) => {
      await using store = await this.#cli.database.openForCommand(this.#cli.origin);
      await action(store, ...(args as Args));
    });
  }

  /** Sets an action that changes the store and returns what to print. */
  changes<Args extends unknown[]>(
    action: (store: OperatorStore, ...args: Args) => Promise<PrintedChange>,
  ): this {
    return this.withStore(async (store, ...args: Args) => {
      await this.#cli.printChange(await action(store, ...args));
    });
  }
}

/** For options and arguments, which commander names in its error. */
export function parseWholeNumber(text: string): number {
  const number = wholeNumber(text);
  if (number !== undefined) return number;
  throw new InvalidArgumentError('Expected a whole number.');
}
