import type { CountsChanges } from '../../domain/counts-journal.ts';
import { StoreUnavailableError } from '../../domain/error.ts';
import type { PeriodKind, PeriodOfUse } from '../../domain/operator/history.ts';
import { batcher, withDeadline } from '../sql/jobs.ts';
import type { CreationRow } from '../sql/pets.ts';
import { cannotUseFile, type Damage, FileError, isUnavailable } from './sqlite-errors.ts';
import type { RequestedPet, RequestWrites } from './writer-statements.ts';
import type { Failure, FromWriter, WriterOptions, Writes } from './writer-worker.ts';

const MAX_CREATIONS_PER_COMMIT = 1_000;

export type Writer = Awaited<ReturnType<typeof openWriter>>;

/**
 * Writes in a worker thread, where concurrent creations share a commit and its sync. Throws
 * `OperatorError` when the files cannot be written, and each write `StoreUnavailableError`.
 */
export async function openWriter(
  options: WriterOptions,
  damage: Damage,
  onWritten: () => void,
  onCommit: (creations: number) => void = () => {},
) {
  // A small heap keeps the process small.
  const worker = new Worker(new URL('./writer-worker.ts', import.meta.url), { smol: true });
  const creations = batcher<RequestedPet, CreationRow>(commit, MAX_CREATIONS_PER_COMMIT);
  let last: Promise<unknown> = Promise.resolve();
  let respond: (response: FromWriter) => void = () => {};
  let death: Failure | undefined;
  /** The thread has not responded in time, and not yet since. */
  let isStuck = false;
  let lastFailure: string | undefined;

  worker.onmessage = ({ data }: MessageEvent<string>) => respond(JSON.parse(data));
  worker.onerror = ({ message }) => die(message);
  worker.addEventListener('close', () => die('it exited'));

  /** Fails every waiting and future write. Reads continue. */
  function die(reason: string): void {
    death ??= { message: `The writer thread died: ${reason}` };
    respond({ failed: death });
  }

  function exchange(text: string): Promise<FromWriter> {
    const { promise, resolve } = Promise.withResolvers<FromWriter>();
    respond = (response) => {
      isStuck = false;
      resolve(response);
    };
    if (death === undefined) worker.postMessage(text);
    else resolve({ failed: death });
    return promise;
  }

  /** One message at a time: the next is sent after the response to the last. */
  async function write<Name extends keyof Writes>(
    name: Name,
    argument: Parameters<Writes[Name]>[0],
  ): Promise<ReturnType<Writes[Name]>> {
    // Serialized now, since the limiter goes on counting in the objects of the message.
    const text = JSON.stringify([name, argument]);
    const exchanged = last.then(() => exchange(text));
    last = exchanged;
    const { result, failed } = await exchanged;
    if (failed === undefined) return result as ReturnType<Writes[Name]>;
    const { code, message } = failed;
    if (code !== undefined && !isUnavailable(code)) throw new Error(message);
    const error = new FileError(message, code);
    // The counts are in another file.
    if (name !== 'saveCounts') damage.note(error);
    throw new StoreUnavailableError(error);
  }

  /** Also throws if the file is damaged or the thread does not respond in time. */
  async function writeInTime<Name extends keyof Writes>(
    name: Name,
    argument: Parameters<Writes[Name]>[0],
  ): Promise<ReturnType<Writes[Name]>> {
    const late = () => {
      isStuck = true;
      return new StoreUnavailableError(new Error(`The disk of ${options.path} does not respond`));
    };
    damage.check();
    // Jobs behind a stuck batch have waited long enough.
    if (isStuck) throw late();
    return withDeadline(options.timeoutMs, write(name, argument), late);
  }

  async function request<Name extends keyof RequestWrites>(
    name: Name,
    argument: Parameters<RequestWrites[Name]>[0],
  ): Promise<ReturnType<RequestWrites[Name]>> {
    try {
      const result = await writeInTime('request', [name, argument]);
      lastFailure = undefined;
      onWritten();
      return result as ReturnType<RequestWrites[Name]>;
    } catch (error) {
      lastFailure = ((error as Error).cause as Failure | undefined)?.code;
      throw error;
    }
  }

  async function commit(batch: readonly RequestedPet[]): Promise<readonly CreationRow[]> {
    const results = await request('createPets', batch);
    onCommit(results.length);
    return results;
  }

  try {
    await write('open', options);
  } catch (error) {
    worker.terminate();
    throw (error as Error).cause ?? cannotUseFile(options.path, error as Error);
  }
  return {
    isAlive: () => death === undefined,
    /** Its last write did not take too long. */
    isResponsive: () => death === undefined && !isStuck,
    /** SQLite's code for the failure of the last write of a request. Undefined if it succeeded. */
    lastFailure: () => lastFailure,
    /** Resolves once the pet is committed and synced. */
    create: (creation: RequestedPet) => creations.add(creation),
    /** For any other write that a request waits for. Resolves once it is committed and synced. */
    request,
    // No request waits for these. Each resolves once it is committed.
    saveCounts: (changes: CountsChanges) => write('saveCounts', changes),
    addPeriods: (periods: readonly PeriodOfUse[]) => write('addPeriods', periods),
    compact: (kind: PeriodKind, beforeMs: number) => write('compact', [kind, beforeMs]),
    /** Resolves once the disk has synced a commit of one row, or the file is locked. */
    probe: () => writeInTime('probe', null),
    async [Symbol.asyncDispose](): Promise<void> {
      await creations.settled();
      if (death === undefined) await write('close', null);
      worker.terminate();
    },
  };
}
