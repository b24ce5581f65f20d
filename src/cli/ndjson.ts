import { createReadStream, statSync } from 'node:fs';
import { OperatorError } from '../domain/error.ts';
import type { Cli, Io } from './cli.ts';
import { formatCount } from './text.ts';

const LINE_FEED = 0x0a;
/** Longer than any line that can be valid, so that a wrong file does not fill the memory. */
const MAX_LINE_BYTES = 1024 * 1024;
const NOT_TEXT = Uint8Array.of(0xff);
const decoder = new TextDecoder('utf-8', { fatal: true });

const READ_BYTES = 256 * 1024;
const WRITE_CHARACTERS = 64 * 1024;

/** More lines would push the first ones off the screen. */
const MAX_SHOWN = 20;

/** Opens a file, or standard input for "-". */
export function openInput({ input }: Io, file: string): AsyncIterable<Uint8Array> {
  if (file === '-') return input();
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new OperatorError(`The file ${file} does not exist.`);
  if (stat.isDirectory()) throw new OperatorError(`${file} is a folder, not a file.`);
  // Bun.file() cannot stream /dev/null.
  return createReadStream(file, { highWaterMark: READ_BYTES });
}

/** The lines of a UTF-8 text, in batches as they arrive. Undefined for a line that is not text. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<(string | undefined)[], undefined> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of input) {
    const bytes = Buffer.concat([rest, chunk]);
    const lines: (string | undefined)[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      lines.push(decode(bytes.subarray(start, end)));
      start = end + 1;
    }
    rest = bytes.length - start > MAX_LINE_BYTES ? NOT_TEXT : bytes.subarray(start);
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [decode(rest)];
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Parses each line. Empty ones are skipped. `parse` throws `OperatorError` for a bad line, and after
 * the last line this throws one with the first of them.
 */
export async function* parseLines<T>(
  batches: AsyncIterable<(string | undefined)[]>,
  parse: (line: string) => T,
  firstLine = 1,
): AsyncGenerator<readonly T[]> {
  const problems: string[] = [];
  let more = 0;
  let line = firstLine;
  for await (const lines of batches) {
    const records: T[] = [];
    for (const text of lines) {
      try {
        if (text === undefined) throw new OperatorError('not UTF-8 text, or too long');
        if (text.trim() !== '') records.push(parse(text));
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        if (problems.length < MAX_SHOWN) problems.push(`Line ${line}: ${error.message}.`);
        else more++;
      }
      line++;
    }
    // After a problem the rest is only checked, since nothing will be added.
    if (problems.length === 0 && records.length > 0) yield records;
  }
  if (problems.length === 0) return;
  if (more > 0) problems.push(`And ${formatCount(more)} more.`);
  throw new OperatorError([...problems, 'Nothing was changed.'].join('\n'));
}

/** Writes a line for each record, many at a time. Returns how many records there were. */
export async function writeLines<T>(
  cli: Cli,
  records: AsyncIterable<T>,
  toLine: (record: T) => string,
): Promise<number> {
  let count = 0;
  let chunk = '';
  for await (const record of records) {
    count++;
    chunk += `${toLine(record)}\n`;
    if (chunk.length < WRITE_CHARACTERS) continue;
    await cli.write(chunk);
    chunk = '';
  }
  await cli.write(chunk);
  return count;
}
