import { Command, InvalidArgumentError, Option } from 'commander';
import { type OptionValues, readConfig } from '#config.ts';
import type { OperatorStore } from '#domain/backend.ts';
import { OperatorError } from '#domain/error.ts';
import { parseSince, parseUntil, TIME_FORMS } from '#domain/time-text.ts';
import { wholeNumber } from '#formats/int64.ts';
import { exactJson } from '#formats/json.ts';
import { progressTo } from '#formats/progress.ts';
import { type Output, platform } from '#platform.ts';
import { backendAt } from '#stores/backends.ts';
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

/** The result of a change: a value for a program, and lines for a person. */
export type PrintedChange = readonly [value: object, ...lines: string[]];

/** One run of a command: its settings, its store and its output. */
export class Cli {
  exitCode = 0;
  /**
   * True if the output may contain a secret, which cannot be shown again. It is then an error if the reader closes
   * the pipe.
   */
  mustBeRead = false;
  #command = '';
  #options: OptionValues & { readonly yes?: boolean } = {};

  constructor(
    readonly io: Io,
    /** True if the arguments have --json, so that wrong usage is reported as JSON too. */
    private readonly isJson: boolean,
  ) {}

  /** Called as soon as the arguments show which command runs. */
  begin(command: Command): void {
    this.#options = command.optsWithGlobals();
    const words: string[] = [];
    // The root is the program itself, which the audit does not name.
    for (let each = command; each.parent !== null; each = each.parent) words.unshift(each.name());
    this.#command = words.join(' ');
  }

  get config() {
    return readConfig(this.#options, this.io.env);
  }

  /** The database of this command. Reading this property does not open the database. */
  get database() {
    return backendAt({ ...this.config.database, ...platform, origin: this.origin });
  }

  /** The command that runs and its user, for the audit. */
  get origin() {
    const { env, userName } = this.io;
    return {
      command: this.#command,
      // This is a getter because looking up the name starts another process, and only commands that change
      // something need it. Under sudo, SUDO_USER is the user who typed the command.
      get operator() {
        return env['SUDO_USER'] || userName();
      },
    };
  }

  /** Shows a line on a terminal until something else is printed, or shows nothing. */
  readonly draw = (line = ''): void => {
    const { stderr } = this.io;
    // The line only informs a person, so it does not matter if it cannot be written.
    if (stderr.isTerminal) stderr.write(`\r${line}\x1b[K`).catch(() => {});
  };

  readonly showProgress = progressTo(this.draw, platform.elapsed);

  write(text: string): Promise<void> {
    return this.io.stdout.write(text);
  }

  /** Prints lines for a person or, with --json, one value for a program. */
  async print(value: unknown, lines: readonly string[]): Promise<void> {
    this.draw();
    const shown = this.isJson ? [exactJson(value)] : lines;
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

  /** Prints a line for a person on standard error. Prints nothing with --json, or if the line is undefined. */
  async remark(line: string | undefined): Promise<void> {
    if (line !== undefined && !this.isJson) await this.report('note', line);
  }

  /** Prints lines for a person on standard error or, with --json, one line of JSON. */
  async report(kind: 'error' | 'note', text: string): Promise<void> {
    // Commander begins its messages with the word that the member of the JSON already has.
    const json = { [kind]: text.replace(/^error: /, '') };
    const lines = this.isJson ? [exactJson(json)] : text.split('\n');
    this.draw();
    await this.io.stderr.write(`${lines.map(printable).join('\n')}\n`);
  }

  /** Throws unless the operator agrees, now or with --yes. */
  async confirm(question: string): Promise<void> {
    if (this.#options.yes) return;
    if (this.io.ask === undefined) {
      throw new OperatorError('Nothing was changed. To confirm without a terminal, add --yes.');
    }
    this.draw();
    const answer = await this.io.ask(`${printable(question)} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('Nothing was changed.');
  }
}

/** The first argument of every action: where to print, and the open store. */
export interface Run {
  readonly cli: Cli;
  readonly store: OperatorStore;
}

/**
 * The action of a command. Its first parameter is the run, and the others are the arguments of the command followed by
 * its options. Commander passes these without types, so each action declares their types.
 */
type Action<Result> = (run: Run, ...args: never[]) => Promise<Result>;

/** The start and the end of a period, in milliseconds. */
export interface Period {
  readonly since?: number;
  readonly until?: number;
}

/** A command, or a group of commands, whose actions may use the store. */
export class CliCommand extends Command {
  constructor(
    private readonly cli: Cli,
    name?: string,
  ) {
    super(name);
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(this.cli, name);
  }

  /** Sets an action that runs with the store open. Services may use the store at the same time. */
  withStore(action: Action<void>): this {
    const { cli } = this;
    return this.action(async (...args) => {
      await using store = await cli.database.openForCommand();
      await action({ cli, store }, ...(args as never[]));
    });
  }

  /** Adds a command that runs with the store open, and prints its output itself. */
  reads(usage: string, help: string, action: Action<void>): CliCommand {
    return this.command(usage).description(help).withStore(action);
  }

  /** Adds a command that changes the store and prints what the action returns. */
  changes(usage: string, help: string, action: Action<PrintedChange>): CliCommand {
    return this.reads(usage, help, async (run, ...args) => {
      await run.cli.printChange(await action(run, ...args));
    });
  }

  /** Adds an option with a few values. */
  choice(flags: string, help: string, values: readonly string[]): this {
    return this.addOption(new Option(flags, help).choices(values));
  }

  /** Adds options for the limits of a plan. */
  limits(condition: string): this {
    return this.option(
      '--per-minute <n>',
      `requests per minute (${condition})`,
      parseWholeNumber,
    ).option('--per-day <n>', `requests per day (${condition})`, parseWholeNumber);
  }

  /** Adds the options of `Period`. */
  period(): this {
    const nowMs = platform.now();
    return this.option('--since <when>', TIME_FORMS, (text) => parseSince(text, nowMs)).option(
      '--until <when>',
      TIME_FORMS,
      (text) => parseUntil(text, nowMs),
    );
  }

  /** Adds the option that answers the question of `Cli.confirm`. */
  asks(): this {
    return this.option('--yes', 'confirm in advance');
  }
}

/** Parses an option or an argument. Commander adds the name of the option or argument to the error. */
export function parseWholeNumber(text: string): number {
  const number = wholeNumber(text);
  if (number !== undefined) return number;
  throw new InvalidArgumentError('Expected a whole number.');
}
