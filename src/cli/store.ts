import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { OperatorError } from '../domain/error.ts';
import {
  headerToJson,
  parseHeader,
  parseRecord,
  RECORD_KINDS,
  type RecordCounts,
  recordToJson,
  type StoreRecord,
} from '../domain/transfer.ts';
import { type JsonOption, printChange } from './output.ts';
import { Progress } from './progress.ts';

const CHUNK_CHARACTERS = 64 * 1024;

export function storeCommand(): Command {
  const command = new Command('store').description('move all data from one store to another');

  command
    .command('export')
    .description('write accounts, keys and pets to standard output, one JSON object per line')
    .action(async () => {
      await using source = await readConfig().database.openExport();
      const { counts, records } = source;
      using progress = new Progress('Exported', totalOf(counts));
      let chunk = `${headerToJson(counts)}\n`;
      for await (const record of records) {
        chunk += `${recordToJson(record)}\n`;
        progress.step();
        if (chunk.length < CHUNK_CHARACTERS) continue;
        await Bun.write(Bun.stdout, chunk);
        chunk = '';
      }
      await Bun.write(Bun.stdout, chunk);
      console.error(progress.summary());
    });

  command
    .command('import')
    .description('read an export from standard input into an empty store; all or nothing')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      const lines = linesOf(Bun.stdin.stream());
      const { value: header = '' } = await lines.next();
      const counts = parseHeader(header);
      using progress = new Progress('Imported', totalOf(counts));
      const { database } = readConfig();
      await database.importAll(parseAll(lines, counts, progress));
      await printChange(database, json, { imported: counts }, [progress.summary()]);
    });

  return command;
}

function totalOf(counts: RecordCounts): number {
  return RECORD_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

/** Throws unless the records match the announced counts: the export may be cut short. */
async function* parseAll(
  lines: AsyncIterable<string>,
  counts: RecordCounts,
  progress: Progress,
): AsyncIterable<StoreRecord> {
  const missing = { ...counts };
  let lineNumber = 1;
  for await (const line of lines) {
    const record = parseRecord(line, ++lineNumber);
    missing[record.kind]--;
    progress.step();
    yield record;
  }
  if (RECORD_KINDS.every((kind) => missing[kind] === 0)) return;
  throw new OperatorError(
    'The export does not match the counts in its header. Nothing was changed.',
  );
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decode(decoder, chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function decode(decoder: TextDecoder, chunk: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw new OperatorError('The export is not UTF-8. Nothing was changed.');
  }
}
