import { randomBytes } from 'node:crypto';
import { write } from 'node:fs';
import { isatty, type WriteStream } from 'node:tty';
import { promisify } from 'node:util';

/** The clocks and randomness of the machine. Everything else takes them as arguments. */
interface Platform {
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock, which is never set. */
  readonly elapsed: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly newRequestId: () => string;
}

export const platform: Platform = {
  now: Date.now,
  elapsed: () => performance.now(),
  randomBytes,
  newRequestId: Bun.randomUUIDv7,
};

const RETRY_MS = 2;

export interface Output {
  /** The width of a terminal. Undefined for a pipe or a file, or if it is not known. */
  readonly columns: number | undefined;
  /** Resolves once all is written. */
  write(text: string): Promise<void>;
}

/** The outputs of this process. Asking `process` for a stream would make its pipe non-blocking. */
export const standardStreams = {
  stdout: outputTo(1, () => process.stdout),
  stderr: outputTo(2, () => process.stderr),
};

function outputTo(descriptor: number, stream: () => WriteStream): Output {
  return {
    get columns() {
      // A terminal that does not report its width has 0 columns.
      return isatty(descriptor) ? stream().columns || undefined : undefined;
    },
    write: (text) => writeAll(descriptor, text),
  };
}

/**
 * `Bun.write` sends the beginning of a text twice if a non-blocking pipe is full (oven-sh/bun pull
 * request 35953), and another process can make the pipe non-blocking. A blocking pipe without a reader
 * must hold up only the write, and not the process.
 */
async function writeAll(descriptor: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += (await promisify(write)(descriptor, bytes, at)).bytesWritten;
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}
