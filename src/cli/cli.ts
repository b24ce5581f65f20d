import { type Command, InvalidArgumentError } from 'commander';
import { type Config, type OptionValues, readConfig } from '../config.ts';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { exactJson } from '../domain/json.ts';
import type { Origin } from '../domain/operator/audit.ts';
import type { Output } from '../standard-streams.ts';
import { printable, styled } from './printable.ts';
import { Progress } from './progress.ts';
import { type Column, formatTable } from './table.ts';

/** What a command uses of its process. A test passes its own. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Reads standard input. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Asks the operator a question. Undefined if standard input is not a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** The name of the user that runs the command. */
  readonly userName: () => string;
  /** How to call this program, to paste into a shell. */
  readonly program: string;
}

/** One run of a command: its settings, its store and its output. */
export class Cli implements Disposable {
  readonly io: Io;
  exitCode = 0;
  #progress: Progress | undefined;
  #command = '';
  #options: OptionValues & { readonly json?: boolean } = {};
  #config: Config | undefined;

  constructor(io: Io) {
    this.io = io;
  }

  /** The arguments chose this command. */
  begin(command: Command): void {
    this.#options = command.opts();
    const words: string[] = [];
    // The root is the program.
    for (let each = command; each.parent !== null; each = each.parent) words.unshift(each.name());
    this.#command = words.join(' ');
  }

  /** Print one JSON value for a program, instead of lines for a person. */
  get json(): boolean {
    return this.#options.json === true;
  }

  get config(): Config {
    this.#config ??= readConfig(this.#options, this.io.env);
    return this.#config;
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

  /** Opens accounts, keys and pets. Services may run at the same time. */
  openStore(): Promise<OperatorStore> {
    return this.config.database.openForCommand(this.origin);
  }

  write(text: string): Promise<void> {
    return this.io.stdout.write(text);
  }

  async print(value: unknown, lines: readonly string[]): Promise<void> {
    this.#progress?.erase();
    const shown = this.json ? [exactJson(value)] : lines;
    await this.write(`${shown.map(printable).join('\n')}\n`);
  }

  /** Prints the result of a change, and names the store that was changed. */
  async printChange(
    { description }: { readonly description: string },
    value: object,
    lines: readonly string[],
  ): Promise<void> {
    await this.print({ ...value, store: description }, lines);
    if (this.json) return;
    await this.remark(styled('dim', printable(`Store: ${description}`), this.io.stderr));
  }

  /** A terminal gets colors and a table that fits its width. A pipe gets the whole table. */
  async printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<void> {
    if (this.json) return this.print(rows, []);
    await this.write(`${formatTable(columns, rows, this.io.stdout).join('\n')}\n`);
  }

  /** A line next to the output. */
  remark(line: string): Promise<void> {
    this.#progress?.erase();
    return this.io.stderr.write(`${line}\n`);
  }

  /** Throws unless the operator agrees. */
  async confirm(question: string): Promise<void> {
    if (this.io.ask === undefined) {
      throw new OperatorError('Nothing was changed: without a terminal, add --yes.');
    }
    const answer = await this.io.ask(`${printable(question)} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new OperatorError('Nothing was changed.');
  }

  /**
   * Shows progress until the command prints something. Hide it if standard output may be the same
   * terminal, where data and a bar would mix.
   */
  progress(verb: string, total: number | undefined, isHidden = false): Progress {
    const { stderr: output } = this.io;
    this.#progress = new Progress(verb, total, { output, showsPace: true, isHidden });
    return this.#progress;
  }

  [Symbol.dispose](): void {
    this.#progress?.erase();
  }
}

/** The reader closed the pipe, as `head` does. */
export function isBrokenPipe(error: unknown): boolean {
  return (error as { code?: string }).code === 'EPIPE';
}

/** For options and arguments, which commander names in its error. */
export function parseWholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}
