import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { OperatorError } from '../domain/error.ts';
import {
  type Counts,
  headerToJson,
  parseHeader,
  parseRecord,
  RECORD_KINDS,
  recordToJson,
  type StoreRecord,
  type StoreTransfer,
} from '../domain/transfer.ts';
import { openPostgresTransfer } from '../postgres/transfer.ts';
import { openSqliteTransfer } from '../sqlite/transfer.ts';
import { print } from './output.ts';
import { Progress } from './progress.ts';

const CHUNK_CHARACTERS = 64 * 1024;

export function storeCommand(): Command {
  const command = new Command('store').description('carry all data from one store to another');

  command
    .command('export')
    .description('write accounts, keys and animals to standard output, as lines of JSON')
    .action(async () => {
      requireSource();
      await using store = await openTransfer();
      const { counts, records } = await store.exportAll();
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
    .description('read an export from standard input into an empty store, all or nothing')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const lines = linesOf(Bun.stdin.stream());
      const { value: header = '' } = await lines.next();
      const counts = parseHeader(header);
      await using store = await openTransfer();
      using progress = new Progress('Imported', totalOf(counts));
      await store.importAll(parseAll(lines, counts, progress));
      await print(json, { imported: counts }, [progress.summary()]);
    });

  return command;
}

/** A mistyped path would otherwise make an empty file, and an empty export. */
function requireSource(): void {
  const { database } = readConfig();
  if (database.kind !== 'sqlite' || existsSync(database.path)) return;
  throw new OperatorError(`There is no data file ${database.path}. Check DATABASE_URL.`);
}

async function openTransfer(): Promise<StoreTransfer> {
  const { database } = readConfig();
  return database.kind === 'sqlite'
    ? openSqliteTransfer(database.path)
    : openPostgresTransfer(database.url);
}

function totalOf(counts: Counts): number {
  return RECORD_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

/** Throws when there are more or fewer records than were announced: the export was cut short. */
async function* parseAll(
  lines: AsyncIterable<string>,
  counts: Counts,
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
    'The export does not hold the records that it announces. Nothing was changed.',
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
