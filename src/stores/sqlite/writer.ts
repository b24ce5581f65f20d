import { StoreUnavailableError } from '#domain/error.ts';
import { batcher } from '#timing/batcher.ts';
import { withDeadline } from '#timing/deadline.ts';
import {
  cannotUseFile,
  codeOf,
  type Damage,
  type Failure,
  FileError,
  isUnavailable,
} from './sqlite-errors.ts';
import type { FromWriter, RequestedPet, WriterOptions, Writes } from './writer-worker.ts';

const MAX_CREATIONS_PER_COMMIT = 1_000;

type Call<Name extends keyof Writes> = [Name, ...Parameters<Writes[Name]>];
type Result<Name extends keyof Writes> = ReturnType<Writes[Name]>;

interface Hooks {
  readonly damage: Damage;
  /** Called after each commit of creations, so that the next read and the caches see it. */
  readonly onWritten: () => void;
  /** Called with the number of creations in each commit. */
  readonly onCommit?: ((creations: number) => void) | undefined;
}

/**
 * The main thread's side of the writer thread, which runs one write after the other and responds in the same
 * order. Each write throws `StoreUnavailableError` if the file cannot be written.
 */
export class Writer implements AsyncDisposable {
  // A small heap keeps the process small.
  readonly #worker = new Worker(new URL('./writer-worker.ts', import.meta.url), { smol: true });
  /** The writes that wait for a response, the oldest first. */
  readonly #waiting: ((response: FromWriter<never>) => void)[] = [];
  /** All creations that arrive during a commit go into the next one, and share its sync. */
  readonly #creations = batcher(async (pets: readonly RequestedPet[]) => {
    try {
      const rows = await this.writeInTime('createPets', pets);
      this.lastFailure = undefined;
      this.hooks.onWritten();
      this.hooks.onCommit?.(rows.length);
      return rows;
    } catch (error) {
      this.lastFailure = codeOf(error);
      throw error;
    }
  }, MAX_CREATIONS_PER_COMMIT);
  /** Resolves once the pet is committed and synced. */
  readonly create = this.#creations.add;
  #death: Failure | undefined;
  /** A write has taken too long, and the thread has not responded since. */
  #isStuck = false;
  /** SQLite's code for the failure of the last creations. Undefined if they succeeded. */
  lastFailure: string | undefined;

  private constructor(
    private readonly options: WriterOptions,
    private readonly hooks: Hooks,
  ) {
    this.#worker.onmessage = ({ data }: MessageEvent<string>) => {
      this.#isStuck = false;
      this.#waiting.shift()?.(JSON.parse(data));
    };
    this.#worker.onerror = ({ message }) => this.#die(message);
    this.#worker.addEventListener('close', () => this.#die('it exited'));
  }

  /** Throws `OperatorError` if the files cannot be written. */
  static async open(options: WriterOptions, hooks: Hooks): Promise<Writer> {
    const writer = new Writer(options, hooks);
    try {
      await writer.write('open', options);
      return writer;
    } catch (error) {
      writer.#worker.terminate();
      throw (error as Error).cause ?? cannotUseFile(options.path, error as Error);
    }
  }

  get isAlive(): boolean {
    return this.#death === undefined;
  }

  /** False if the thread died, or if its last write took too long. */
  get isResponsive(): boolean {
    return this.isAlive && !this.#isStuck;
  }

  /** Like `write`. Also throws if the data file is damaged, or if the thread does not respond in time. */
  async writeInTime<Name extends keyof Writes>(...call: Call<Name>): Promise<Result<Name>> {
    const { path, timeoutMs } = this.options;
    const late = () => {
      this.#isStuck = true;
      return new StoreUnavailableError(new FileError(`The disk of ${path} does not respond.`));
    };
    this.hooks.damage.check();
    // Behind a write that is stuck, this one would only take as long again.
    if (this.#isStuck) throw late();
    return await withDeadline(timeoutMs, this.write(...call), late);
  }

  /** Runs a write that no request waits for. Resolves once it is committed. */
  async write<Name extends keyof Writes>(...call: Call<Name>): Promise<Result<Name>> {
    const { promise, resolve } = Promise.withResolvers<FromWriter<Result<Name>>>();
    if (this.#death === undefined) {
      this.#waiting.push(resolve);
      // Serialized now, because the limiter continues to count in the objects of the call.
      this.#worker.postMessage(JSON.stringify(call));
    } else resolve({ failed: this.#death });
    const response = await promise;
    if (!('failed' in response)) return response.result;
    const { code, message } = response.failed;
    if (code !== undefined && !isUnavailable(code)) throw new Error(message);
    const error = new FileError(message, code);
    // The counts are in another file, so their errors say nothing about the data file.
    if (call[0] !== 'saveCounts') this.hooks.damage.note(error);
    throw new StoreUnavailableError(error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#creations.settled();
    if (this.isAlive) await this.write('close');
    this.#worker.terminate();
  }

  /** Fails every waiting and future write. Reads continue. */
  #die(reason: string): void {
    const failed = { message: `The writer thread died: ${reason}` };
    this.#death ??= failed;
    this.#isStuck = false;
    for (const respond of this.#waiting.splice(0)) respond({ failed });
  }
}
