import { OperatorError } from '../domain/error.ts';

/** Longer than any line that can be valid, so that a wrong file does not fill the memory. */
const MAX_LINE_CHARACTERS = 1024 * 1024;

/** The lines of a UTF-8 text, in batches as they arrive. `onBytes` counts what was read. */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<string[], undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decode(decoder, chunk)).split('\n');
    rest = lines.pop() ?? '';
    onBytes(chunk.length);
    if (lines.length > 0) yield lines;
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new OperatorError('A line of the input is too long. Nothing was changed.');
  }
  rest += decode(decoder);
  if (rest !== '') yield [rest];
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new OperatorError('The input is not UTF-8 text. Nothing was changed.');
  }
}
