import { styleText } from 'node:util';
import { exactJson } from '../domain/json.ts';
import { printable } from './printable.ts';
import { writeOut } from './write-out.ts';

/** The option of every command that can print JSON. */
export interface JsonOption {
  readonly json?: boolean;
}

/** Prints lines for a person, or one JSON value for a program. Resolves once all is written. */
export async function print(
  json: boolean | undefined,
  value: unknown,
  lines: readonly string[],
): Promise<void> {
  const shown = json ? [exactJson(value)] : lines;
  await writeLines(shown.map(printable));
}

/** For lines that are safe to show on a terminal. */
export async function writeLines(lines: readonly string[]): Promise<void> {
  await writeOut(`${lines.join('\n')}\n`);
}

/** Prints the result of a change, and names the store that was changed. */
export async function printChange(
  { description }: { readonly description: string },
  json: boolean | undefined,
  value: object,
  lines: readonly string[],
): Promise<void> {
  await print(json, { ...value, store: description }, lines);
  if (json) return;
  const line = printable(`Store: ${description}`);
  remark(styleText('dim', line, { stream: process.stderr }));
}

/** A line next to the output. `console.error` would print it in red, as an error. */
export function remark(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The reader closed the pipe, as `head` does. */
export function isBrokenPipe(error: unknown): boolean {
  return (error as { code?: string }).code === 'EPIPE';
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
