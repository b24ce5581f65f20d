import { resolve } from 'node:path';
import { Command } from 'commander';
import { OperatorError } from '../domain/error.ts';
import {
  type Export,
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
import { parseLines, readLines, writeLines } from './ndjson.ts';
import { plural } from './printable.ts';
import type { Progress } from './progress.ts';

interface ReplaceOptions {
  readonly force?: boolean;
  readonly create?: boolean;
}

const NOUNS: Readonly<Record<RecordKind, readonly [one: string, more?: string]>> = {
  account: ['account'],
  key: ['key'],
  pet: ['pet'],
  idempotencyKey: ['idempotency key'],
  auditEntry: ['audit entry', 'audit entries'],
  usagePeriod: ['period of usage', 'periods of usage'],
  keyUse: ['last use of a key', 'last uses of keys'],
};

/** Left out of a summary when empty. */
const HISTORY: readonly RecordKind[] = ['usagePeriod', 'keyUse'];

export function storeCommand(cli: Cli): Command {
  const command = new Command('store').description('back up, restore and move all data');

  command
    .command('backup')
    .argument('<file>', 'the file to write')
    .description('write a verified copy of the store to a file; the service may run')
    .option('--force', 'replace the file if it exists')
    .action(async (file: string, { force = false }: ReplaceOptions) => {
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
    .action(async (file: string, { force = false, create = false }: ReplaceOptions) => {
      const { database } = cli.config;
      const options = { overwrite: force, create };
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
      const { isTTY } = cli.io.stdout;
      const progress = cli.progress('Exported', totalOf(source.counts), isTTY);
      await writeLines(linesOf(source, progress), (text) => cli.write(text));
      await cli.remark(`Exported ${plural(progress.done, 'record')}.`);
    });

  command
    .command('import')
    .description('read an export from standard input into an empty store; all or nothing')
    .action(async () => {
      const batches = readLines(cli.io.input());
      const { value: [header = '', ...lines] = [] } = await batches.next();
      const { counts, lastPetId } = parseHeader(header);
      const progress = cli.progress('Imported', totalOf(counts));
      const records = readRecords(lines, batches, counts, progress);
      const { database } = cli.config;
      await database.importAll(records, lastPetId, cli.origin);
      await cli.printChange(database, { imported: counts }, [
        `Imported ${plural(progress.done, 'record')}.`,
      ]);
    });

  return command;
}

/** "2 accounts, 3 keys, 1,000 pets and 0 idempotency keys" */
function describeCounts(counts: Partial<RecordCounts>): string {
  const named = RECORD_KINDS.flatMap((kind) => {
    const count = counts[kind];
    if (count === undefined || (count === 0 && HISTORY.includes(kind))) return [];
    return plural(count, ...NOUNS[kind]);
  });
  return new Intl.ListFormat('en-GB').format(named);
}

function totalOf(counts: RecordCounts): number {
  return RECORD_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

async function* linesOf(source: Export, progress: Progress): AsyncGenerator<string> {
  yield headerToJson(source);
  for await (const record of source.records) {
    progress.step();
    yield recordToJson(record);
  }
}

/** Throws unless the records match the announced counts: the export may be cut short. */
async function* readRecords(
  first: (string | undefined)[],
  others: AsyncIterable<(string | undefined)[]>,
  counts: RecordCounts,
  progress: Progress,
): AsyncGenerator<StoreRecord> {
  async function* lines() {
    yield first;
    yield* others;
  }
  const missing = { ...counts };
  // The first line was the header.
  for await (const records of progress.count(parseLines(lines(), parseRecord, 2))) {
    for (const { kind } of records) missing[kind]--;
    yield* records;
  }
  if (RECORD_KINDS.every((kind) => missing[kind] === 0)) return;
  throw new OperatorError(
    'The export does not match the counts in its header. Nothing was changed.',
  );
}
