import { OperatorError, StoreUnavailableError } from '../../domain/error.ts';
import { Batcher, withDeadline } from '../sql/jobs.ts';
import type { CreationRow } from '../sql/pets.ts';
import { type Damage, FileError, isUnavailable } from './sqlite-errors.ts';
import type { Creation } from './writer-statements.ts';
import type { Failure, FromWriter, WriterOptions, Writes } from './writer-worker.ts';

const MAX_CREATIONS_PER_COMMIT = 1_000;

/** Writes in a worker thread, where concurrent creations share a commit and its sync. */
export class Writer implements AsyncDisposable {
  // A small heap keeps the process small.
  readonly #worker = new Worker(new URL('./writer-worker.ts', import.meta.url), { smol: true });
  readonly #creations = new Batcher<Creation, CreationRow>(
    (creations) => this.#commit(creations),
    MAX_CREATIONS_PER_COMMIT,
  );
  readonly #path: string;
  readonly #timeoutMs: number;
  readonly #damage: Damage;
  readonly #onCommit: (creations: number) => void;
  #last: Promise<unknown> = Promise.resolve();
  #respond: (response: FromWriter) => void = () => {};
  #death: Error | undefined;
  /** The writer thread has not responded in time, and not yet since. */
  #isStuck = false;
  #lastFailure: string | undefined;

  private constructor(
    { path, timeoutMs }: WriterOptions,
    damage: Damage,
    onCommit: (creations: number) => void,
  ) {
    this.#path = path;
    this.#timeoutMs = timeoutMs;
    this.#damage = damage;
    this.#onCommit = onCommit;
    this.#worker.onmessage = ({ data }: MessageEvent<string>) => this.#respond(JSON.parse(data));
    this.#worker.onerror = ({ message }) => this.#die(message);
    this.#worker.addEventListener('close', () => this.#die('it exited'));
  }

  /** Throws `OperatorError` when the files cannot be written. */
  static async open(
    options: WriterOptions,
    damage: Damage,
    onCommit: (creations: number) => void = () => {},
  ): Promise<Writer> {
    const writer = new Writer(options, damage, onCommit);
    const { failed } = await writer.#send('open', options);
    if (failed === undefined) return writer;
    writer.#worker.terminate();
    throw new OperatorError(failed.message);
  }

  get isAlive(): boolean {
    return this.#death === undefined;
  }

  /** Its last write did not take too long. */
  get isResponsive(): boolean {
    return this.isAlive && !this.#isStuck;
  }

  /** SQLite's code for the failure of the last creation. Undefined if it succeeded. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }

  /** Resolves once the pet is committed and synced. Throws `StoreUnavailableError`. */
  create(creation: Creation): Promise<CreationRow> {
    return this.#creations.add(creation);
  }

  /** For writes that no request waits for. Resolves once they are committed. Throws `StoreUnavailableError`. */
  async write<Name extends 'saveCounts' | 'addPeriods' | 'compact'>(
    name: Name,
    argument: Parameters<Writes[Name]>[0],
  ): Promise<void> {
    resultOf(await this.#send(name, argument));
  }

  /** Resolves once the disk has synced a commit of one row, or the file is locked. Throws `StoreUnavailableError`. */
  async probe(): Promise<void> {
    resultOf(await this.#sendInTime('probe', null));
  }

  async #commit(creations: readonly Creation[]): Promise<readonly CreationRow[]> {
    const response = await this.#sendInTime('createPets', creations);
    this.#lastFailure = response.failed?.code;
    const results = resultOf(response) as readonly CreationRow[];
    this.#onCommit(results.length);
    return results;
  }

  /** Throws `StoreUnavailableError` if the file is damaged or the thread does not respond in time. */
  async #sendInTime(name: keyof Writes, argument: unknown): Promise<FromWriter> {
    const late = () =>
      new StoreUnavailableError(new Error(`The disk of ${this.#path} does not respond`));
    this.#damage.check();
    // Jobs behind a stuck batch have waited long enough.
    if (this.#isStuck) throw late();
    return withDeadline(this.#timeoutMs, this.#send(name, argument), () => {
      this.#isStuck = true;
      return late();
    });
  }

  /** Fails every waiting and future write. Reads continue. */
  #die(reason: string): void {
    this.#death ??= new Error(`The writer thread died: ${reason}`);
    this.#respond({ failed: this.#death });
  }

  /** One message at a time: the next is sent after the response to the last. */
  async #send(name: keyof Writes | 'open', argument: unknown): Promise<FromWriter> {
    // Serialized now, since the limiter goes on counting in the objects of the message.
    const text = JSON.stringify([name, argument]);
    const exchanged = this.#last.then(() => this.#exchange(text));
    this.#last = exchanged;
    const response = await exchanged;
    // The counts are in another file.
    if (response.failed && name !== 'saveCounts') this.#damage.note(toError(response.failed));
    return response;
  }

  #exchange(text: string): Promise<FromWriter> {
    const { promise, resolve } = Promise.withResolvers<FromWriter>();
    this.#respond = (response) => {
      this.#isStuck = false;
      resolve(response);
    };
    if (this.#death === undefined) this.#worker.postMessage(text);
    else resolve({ failed: this.#death });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#creations.settled();
    await this.#send('close', null);
    this.#worker.terminate();
  }
}

function resultOf({ result, failed }: FromWriter): unknown {
  if (failed === undefined) return result;
  const { code } = failed;
  throw code === undefined || isUnavailable(code)
    ? new StoreUnavailableError(toError(failed))
    : new Error(failed.message);
}

function toError({ message, code }: Failure): FileError {
  return new FileError(message, code);
}
