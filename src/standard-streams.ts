import { writeSync } from 'node:fs';
import { isatty, type WriteStream } from 'node:tty';

const RETRY_MS = 2;
/** Moves to the start of the line and erases it. */
const ERASE = '\r\u001b[K';

export interface Output {
  readonly isTTY: boolean;
  /** The width of a terminal, if it is known. */
  readonly columns: number | undefined;
  readonly hasColors: boolean;
  /** Resolves once all is written. */
  write(text: string): Promise<void>;
  /** Replaces the last line of a terminal. It disappears if the process is interrupted. */
  replaceLine(text: string): void;
}

/** The outputs of this process. Asking `process` for a stream would make its pipe non-blocking. */
export const standardStreams = {
  stdout: outputTo(1, () => process.stdout),
  stderr: outputTo(2, () => process.stderr),
};

function outputTo(descriptor: number, stream: () => WriteStream): Output {
  const isTTY = isatty(descriptor);
  const eraseOnSignal = (signal: NodeJS.Signals) => {
    writeSync(descriptor, ERASE);
    process.kill(process.pid, signal);
  };
  let isWatching = false;
  return {
    isTTY,
    get columns() {
      // A terminal that does not report its width has 0 columns.
      return isTTY ? stream().columns || undefined : undefined;
    },
    get hasColors() {
      return isTTY && stream().hasColors();
    },
    write: (text) => writeAll(descriptor, text),
    replaceLine(text) {
      // Work goes on if the terminal is gone.
      writeAll(descriptor, ERASE + text).catch(() => {});
      if (isWatching) return;
      isWatching = true;
      for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, eraseOnSignal);
    },
  };
}

/**
 * `Bun.write` sends the beginning of a text twice if a non-blocking pipe is full (oven-sh/bun pull
 * request 35953), and another process can make the pipe non-blocking.
 */
async function writeAll(descriptor: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}
