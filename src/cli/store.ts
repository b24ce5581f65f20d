import { resolve } from 'node:path';
import { type RestoreOptions, UNDONE_BY_RESTORE } from '#domain/backend.ts';
import { OperatorError } from '#domain/error.ts';
import {
  headerToJson,
  parseHeader,
  parseRecord,
  type RecordCounts,
  recordToJson,
  type StoreRecord,
} from '#domain/operator/transfer.ts';
import type { Cli, CliCommand } from './cli.ts';
import { parseLines, readLines, writeLines } from './ndjson.ts';
import { plural } from './text.ts';

export function define(group: CliCommand, cli: Cli): void {
  group.description('back up, restore and move all data');

  group
    .command('backup <file>')
    .description('write a verified copy of the store to a file')
    .option('--force', 'replace the file if it exists')
    .action(async (file: string, options: RestoreOptions) => {
      const { database } = cli;
      const { backups } = database;
      if (backups.kind === 'tools') throw new OperatorError(backups.howToBackup(file));
      const { counts, isAudited } = await backups.backup(file, options);
      await cli.print({ file: resolve(file), counts, store: database.description }, [
        `Backed up ${plural(totalOf(counts), 'record')} to ${resolve(file)}, and verified the copy.`,
        'After a restore, limits start from zero.',
      ]);
      if (!isAudited)
        await cli.remark('The store cannot be written, so it has no record of this backup.');
    });

  group
    .command('restore')
    .argument('<file>', 'a file that "store backup" wrote')
    .description('replace the store with a backup; stop the service first')
    .option('--force', 'replace the store if it exists')
    .option('--create', 'create the store if it does not exist')
    .action(async (file: string, options: RestoreOptions) => {
      const { backups } = cli.database;
      if (backups.kind === 'tools') throw new OperatorError(backups.howToRestore(file));
      const counts = await backups.restore(file, options);
      const done = `Restored ${plural(totalOf(counts), 'record')}.`;
      const undone = `${UNDONE_BY_RESTORE}: repeat them.`;
      await cli.printChange([{ file: resolve(file), counts }, done, undone]);
    });

  group.reads('export', 'write all data to standard output as NDJSON', async ({ store }) => {
    await using source = await store.openExport();
    await cli.write(`${headerToJson(source)}\n`);
    await writeLines(cli, 'record', source.records, recordToJson, totalOf(source.counts));
  });

  group
    .command('import')
    .description('read an export from standard input into an empty store; all or nothing')
    .action(async () => {
      const batches = readLines(cli.io.input());
      const { value: [header = '', ...lines] = [] } = await batches.next();
      const { counts, lastIds } = parseHeader(header);
      const total = totalOf(counts);
      const records = readRecords(cli, lines, batches, total);
      await cli.database.importAll(records, lastIds);
      await cli.printChange([{ imported: counts }, `Imported ${plural(total, 'record')}.`]);
    });
}

function totalOf(counts: RecordCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Throws unless there are as many records as the header announced, because the export may be incomplete. */
async function* readRecords(
  cli: Cli,
  first: string[],
  others: AsyncIterable<string[]>,
  announced: number,
): AsyncGenerator<readonly StoreRecord[]> {
  async function* lines() {
    yield first;
    yield* others;
  }
  let count = 0;
  // The first line was the header.
  for await (const records of parseLines(lines(), parseRecord, 2)) {
    count += records.length;
    yield records;
    cli.showProgress(count, 'records', announced);
  }
  if (count === announced) return;
  throw new OperatorError(
    'The export does not match the counts in its header. Nothing was changed.',
  );
}
