import { writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
const RETRY_MS = 2;

/**
 * Writes all of a text to standard output. `Bun.write` sends the beginning of a text twice if a
 * non-blocking pipe is full (oven-sh/bun pull request 35953), and any use of `process.stdout` or
 * another process can make the pipe non-blocking.
 */
export function writeOut(text: string): Promise<void> {
  return writeTo(STANDARD_OUTPUT, text);
}

export async function writeTo(descriptor: number, text: string): Promise<void> {
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
