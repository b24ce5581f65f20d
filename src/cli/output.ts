// What the conformance command uses of the process, until it gets its streams as an argument.
import { exactJson } from '../domain/json.ts';
import { standardStreams } from '../standard-streams.ts';
import { printable } from './printable.ts';

export interface JsonOption {
  readonly json?: boolean;
}

export function print(
  json: boolean | undefined,
  value: unknown,
  lines: readonly string[],
): Promise<void> {
  return writeLines((json ? [exactJson(value)] : lines).map(printable));
}

export function writeLines(lines: readonly string[]): Promise<void> {
  return standardStreams.stdout.write(`${lines.join('\n')}\n`);
}

export function remark(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The reader closed the pipe, as `head` does. */
export function isBrokenPipe(error: unknown): boolean {
  return (error as { code?: string }).code === 'EPIPE';
}
