import { OperatorError } from '../domain/error.ts';
import type { BadLine } from '../domain/operator/operator-pets.ts';

/** Longer than any line that can be valid, so that a wrong file does not fill the memory. */
const MAX_LINE_BYTES = 1024 * 1024;

const LINE_FEED = 0x0a;

const TOO_LONG: BadLine = { reason: 'the line is too long' };
const NOT_TEXT: BadLine = { reason: 'not UTF-8 text' };

/** The lines of a UTF-8 text, in batches as they arrive. Throws for a line that cannot be read. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string[], undefined> {
  let lineNumber = 0;
  for await (const lines of tryLines(input)) {
    yield lines.map((line) => {
      lineNumber++;
      if (typeof line === 'string') return line;
      throw new OperatorError(`Line ${lineNumber}: ${line.reason}.\nNothing was changed.`);
    });
  }
}

/** The same for a caller that goes on after such a line. `onBytes` counts what was read. */
export async function* tryLines(
  input: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<(string | BadLine)[], undefined> {
  let rest: Uint8Array = new Uint8Array();
  let isTooLong = false;
  let isFirst = true;

  function decode(bytes: Uint8Array): (string | BadLine)[] {
    const lines = decodeLines(bytes);
    if (isFirst && typeof lines[0] === 'string') lines[0] = lines[0].replace(/^\ufeff/, '');
    // Its beginning was dropped.
    if (isTooLong) lines[0] = TOO_LONG;
    isFirst = false;
    isTooLong = false;
    return lines;
  }

  for await (const chunk of input) {
    onBytes(chunk.length);
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end !== -1) yield decode(Buffer.concat([rest, chunk.subarray(0, end)]));
    rest = end === -1 ? Buffer.concat([rest, chunk]) : chunk.subarray(end + 1);
    if (rest.length <= MAX_LINE_BYTES) continue;
    rest = new Uint8Array();
    isTooLong = true;
  }
  if (isTooLong || rest.length > 0) yield decode(rest);
}

/** All at once, which is fast. One by one only if a line is not UTF-8 text. */
function decodeLines(bytes: Uint8Array): (string | BadLine)[] {
  const text = decodeText(bytes);
  if (text !== undefined) return text.split('\n');
  const lines: (string | BadLine)[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    lines.push(decodeText(bytes.subarray(start, end)) ?? NOT_TEXT);
    start = end + 1;
  }
  return lines;
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark counts only at the start of the input.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
