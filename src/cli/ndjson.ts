import { createReadStream, statSync } from 'node:fs';
import { OperatorError } from '#domain/error.ts';
import type { Cli } from './cli.ts';
import { plural } from './text.ts';

/** Longer than any valid line. Reading stops here, so that a wrong file does not fill the memory. */
const MAX_LINE_CHARACTERS = 1024 * 1024;

const MEGABYTE = 1e6;
const READ_BYTES = 256 * 1024;
const WRITE_CHARACTERS = 64 * 1024;

/** With more messages, the first ones would scroll off the screen. */
const MAX_PROBLEMS = 20;

/**
 * Reads a file, or standard input for "-". This is a generator so that it opens the file only at the first read. A
 * stream that was opened earlier could fail before anybody listens for its errors.
 */
export async function* openInput(
  { io, showProgress }: Cli,
  file: string,
): AsyncGenerator<Uint8Array> {
  // Bun.file() cannot stream /dev/null.
  if (file === '-') return yield* io.input();
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
    yield chunk;
    bytes += chunk.length;
    showProgress(bytes / MEGABYTE, 'MB read', statSync(file).size / MEGABYTE);
  }
}

/** Splits a UTF-8 text into lines, in batches as they arrive. No batch is empty. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string[], undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let count = 0;
  let rest = '';
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw unreadable(count);
    }
  };
  for await (const chunk of input) {
    const lines = (rest + decode(chunk)).split('\n');
    rest = lines.pop() as string;
    count += lines.length;
    if (rest.length > MAX_LINE_CHARACTERS) throw unreadable(count);
    if (lines.length > 0) yield lines;
  }
  yield [rest + decode()];
}

function unreadable(linesBefore: number): OperatorError {
  return new OperatorError(
    `After line ${linesBefore}, a line is too long or not UTF-8. Nothing was changed.`,
  );
}

/**
 * Parses each line that is not empty. `parse` throws `OperatorError` for a bad line. These errors are collected, and
 * thrown as one error after the last line, or as soon as there are too many.
 */
export async function* parseLines<T>(
  batches: AsyncIterable<string[]>,
  parse: (line: string) => T,
  firstLine = 1,
): AsyncGenerator<readonly T[]> {
  const problems: string[] = [];
  let line = firstLine;
  for await (const lines of batches) {
    const records: T[] = [];
    for (const text of lines) {
      try {
        if (text.trim() !== '') records.push(parse(text));
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        problems.push(`Line ${line}: ${error.message}.`);
      }
      line++;
    }
    // After a bad line, the caller imports nothing, so the remaining lines are only checked.
    if (problems.length === 0 && records.length > 0) yield records;
    if (problems.length >= MAX_PROBLEMS) break;
  }
  if (problems.length === 0) return;
  throw new OperatorError([...problems.slice(0, MAX_PROBLEMS), 'Nothing was changed.'].join('\n'));
}

/** Writes a line for each record, many at a time, and then says how many there were. */
export async function writeLines<T>(
  cli: Cli,
  noun: string,
  records: AsyncIterable<T>,
  toLine: (record: T) => string,
  total?: number,
): Promise<void> {
  let count = 0;
  let chunk = '';
  for await (const record of records) {
    count++;
    chunk += `${toLine(record)}\n`;
    if (chunk.length < WRITE_CHARACTERS) continue;
    await cli.write(chunk);
    // Where the lines go to the same terminal, they show the progress.
    if (!cli.io.stdout.isTerminal) cli.showProgress(count, `${noun}s`, total);
    chunk = '';
  }
  await cli.write(chunk);
  await cli.remark(`Exported ${plural(count, noun)}.`);
}
