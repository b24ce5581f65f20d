import { randomBytes } from 'node:crypto';
import { write } from 'node:fs';
import { isatty } from 'node:tty';
import { promisify } from 'node:util';

/** The clocks and the randomness of the machine. All other code gets them as arguments. */
export const platform = {
  /** Milliseconds since 1970 UTC. */
  now: Date.now,
  /** Milliseconds on a monotonic clock, which is never set. */
  elapsed: () => performance.now(),
  randomBytes: (count: number): Uint8Array => randomBytes(count),
  newRequestId: (): string => Bun.randomUUIDv7(),
};

const RETRY_MS = 2;

export interface Output {
  readonly isTerminal?: boolean;
  /** Resolves once the whole text is written. */
  write(text: string): Promise<void>;
}

/**
 * Writes to a file descriptor of this process. The streams of `process` would make its pipe non-blocking, and
 * `Bun.write` sends the beginning of a text twice if such a pipe is full (oven-sh/bun pull request 35953). If
 * nothing reads the pipe, only this write waits, and the rest of the program continues.
 */
export function outputTo(descriptor: number): Output {
  return {
    isTerminal: isatty(descriptor),
    async write(text) {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) {
        try {
          at += (await promisify(write)(descriptor, bytes, at)).bytesWritten;
        } catch (error) {
          if ((error as { code?: string }).code !== 'EAGAIN') throw error;
          await Bun.sleep(RETRY_MS);
        }
      }
    },
  };
}
