import { resolve } from 'node:path';
import { Command } from 'commander';
import { OperatorError } from '../domain/error.ts';
import {
  headerToJson,
  parseHeader,
  parseRecord,
  RECORD_KINDS,
  type RecordCounts,
  type RecordKind,
  recordToJson,
  type StoreRecord,
} from '../domain/operator/transfer.ts';
import type { Cli } from './cli.ts';
import { formatCount } from './printable.ts';
import type { Progress } from './progress.ts';
import { readLines } from './read-lines.ts';

const CHUNK_CHARACTERS = 64 * 1024;

interface ForceOption {
  readonly force?: boolean;
}

interface RestoreOption extends ForceOption {
  readonly create?: boolean;
}

const NOUNS: Readonly<Record<RecordKind, readonly [one: string, more: string]>> = {
  account: ['account', 'accounts'],
  key: ['key', 'keys'],
  pet: ['pet', 'pets'],
  idempotencyKey: ['idempotency key', 'idempotency keys'],
  auditEntry: ['audit entry', 'audit entries'],
  usagePeriod: ['period of usage', 'periods of usage'],
  keyUse: ['last use of a key', 'last uses of keys'],
};

/** A store without them is not worth a word. */
const HISTORY: readonly RecordKind[] = ['usagePeriod', 'keyUse'];

export function storeCommand(cli: Cli): Command {
  const command = new Command('store').description('back up, restore and move all data');

  command
    .command('backup')
    .argument('<file>', 'the file to write')
    .description('write a verified copy of the store to a file; the service may run')
    .option('--force', 'replace the file if it exists')
    .action(async (file: string, { force = false }: ForceOption) => {
      const { database } = cli.config;
      const counts = await database.backup(file, { overwrite: force });
      await cli.print({ file: resolve(file), counts, store: database.description }, [
        `Backed up ${describeCounts(counts)} to ${resolve(file)}. The copy is undamaged.`,
        'The counts of the limiter are not part of it: after a restore, limits start from zero.',
      ]);
    });

  command
    .command('restore')
    .argument('<file>', 'a file that "store backup" wrote')
    .description('replace the store by a backup; stop the service first')
    .option('--force', 'replace the store if it exists')
    .option('--create', 'create the store if it does not exist')
    .action(async (file: string, { force, create }: RestoreOption) => {
      const { database } = cli.config;
      const options = { overwrite: force ?? false, create: create ?? false };
      const counts = await database.restore(file, options, cli.origin);
      await cli.printChange(database, { file: resolve(file), counts }, [
        `Restored ${describeCounts(counts)}.`,
      ]);
    });

  command
    .command('export')
    .description(
      'write accounts, keys, pets and the usage history to standard output, one JSON object per line',
    )
    .option('--json', 'print JSON (always the case)')
    .action(async () => {
      await using source = await cli.config.database.openExport();
      const { counts, records } = source;
      const options = { showsPace: true, isHidden: cli.io.stdout.isTTY };
      using progress = cli.progress('Exported', totalOf(counts), options);
      let chunk = `${headerToJson(source)}\n`;
      for await (const record of records) {
        chunk += `${recordToJson(record)}\n`;
        progress.step();
        if (chunk.length < CHUNK_CHARACTERS) continue;
        await cli.write(chunk);
        chunk = '';
      }
      await cli.write(chunk);
      await cli.remark(progress.summary());
    });

  command
    .command('import')
    .description('read an export from standard input into an empty store; all or nothing')
    .action(async () => {
      const lines = eachLine(readLines(cli.io.input()));
      const { value: header = '' } = await lines.next();
      const { counts, lastPetId } = parseHeader(header);
      using progress = cli.progress('Imported', totalOf(counts), { showsPace: true });
      const { database } = cli.config;
      const records = parseAll(lines, counts, progress);
      await database.importAll(records, lastPetId, cli.origin);
      await cli.printChange(database, { imported: counts }, [progress.summary()]);
    });

  return command;
}

async function* eachLine(batches: AsyncIterable<string[]>): AsyncGenerator<string, undefined> {
  for await (const lines of batches) yield* lines;
}

/** "2 accounts, 3 keys, 1,000 pets and 0 idempotency keys" */
function describeCounts(counts: Partial<RecordCounts>): string {
  const named = RECORD_KINDS.flatMap((kind) => {
    const count = counts[kind];
    if (count === undefined || (count === 0 && HISTORY.includes(kind))) return [];
    const [one, more] = NOUNS[kind];
    return `${formatCount(count)} ${count === 1 ? one : more}`;
  });
  return new Intl.ListFormat('en-GB').format(named);
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
