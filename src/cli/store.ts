import { resolve } from 'node:path';
import { Command } from 'commander';
import { OperatorError } from '../domain/error.ts';
import {
  headerToJson,
  parseHeader,
  parseRecord,
  RECORD_KINDS,
  type RecordCounts,
  recordToJson,
  type StoreRecord,
} from '../domain/operator/transfer.ts';
import type { Cli } from './cli.ts';
import { parseLines, readLines, writeLines } from './ndjson.ts';
import { plural } from './text.ts';

interface ReplaceOptions {
  readonly force?: boolean;
  readonly create?: boolean;
}

export function command(cli: Cli): Command {
  const group = new Command('store').description('back up, restore and move all data');

  group
    .command('backup <file>')
    .description('write a verified copy of the store to a file')
    .option('--force', 'replace the file if it exists')
    .action(async (file: string, { force = false }: ReplaceOptions) => {
      const { database } = cli;
      const counts = await database.backup(file, { overwrite: force });
      await cli.print({ file: resolve(file), counts, store: database.description }, [
        `Backed up ${describeCounts(counts)} to ${resolve(file)}, and verified the copy.`,
        'After a restore, limits start from zero.',
      ]);
    });

  group
    .command('restore')
    .argument('<file>', 'a file that "store backup" wrote')
    .description('replace the store by a backup; stop the service first')
    .option('--force', 'replace the store if it exists')
    .option('--create', 'create the store if it does not exist')
    .action(async (file: string, { force = false, create = false }: ReplaceOptions) => {
      const { database } = cli;
      const options = { overwrite: force, create };
      const counts = await database.restore(file, options, cli.origin);
      const shown = { file: resolve(file), counts };
      await cli.printChange([shown, `Restored ${describeCounts(counts)}.`]);
    });

  group
    .command('export')
    .description('write all data to standard output as NDJSON')
    .action(
      cli.withStore(async (store) => {
        await using source = await store.openExport();
        await cli.write(`${headerToJson(source)}\n`);
        const count = await writeLines(cli, source.records, recordToJson);
        await cli.remark(`Exported ${plural(count, 'record')}.`);
      }),
    );

  group
    .command('import')
    .description('read an export from standard input into an empty store; all or nothing')
    .action(async () => {
      const batches = readLines(cli.io.input());
      const { value: [header = '', ...lines] = [] } = await batches.next();
      const { counts, lastIds } = parseHeader(header);
      const records = readRecords(lines, batches, counts);
      await cli.database.importAll(records, lastIds, cli.origin);
      const total = RECORD_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
      await cli.printChange([{ imported: counts }, `Imported ${plural(total, 'record')}.`]);
    });

  return group;
}

/** "2 accounts, 3 keys, 1,000 pets and 4 other records" */
function describeCounts({ account, key, pet, ...others }: RecordCounts): string {
  const rest = Object.values(others).reduce((sum, count) => sum + count, 0);
  return (
    `${plural(account, 'account')}, ${plural(key, 'key')}, ${plural(pet, 'pet')} and ` +
    plural(rest, 'other record')
  );
}

/** Throws unless the records match the announced counts: the export may be cut short. */
async function* readRecords(
  first: (string | undefined)[],
  others: AsyncIterable<(string | undefined)[]>,
  counts: RecordCounts,
): AsyncGenerator<StoreRecord> {
  async function* lines() {
    yield first;
    yield* others;
  }
  const missing = { ...counts };
  // The first line was the header.
  for await (const records of parseLines(lines(), parseRecord, 2)) {
    for (const { kind } of records) missing[kind]--;
    yield* records;
  }
  if (RECORD_KINDS.every((kind) => missing[kind] === 0)) return;
  throw new OperatorError(
    'The export does not match the counts in its header. Nothing was changed.',
  );
}
