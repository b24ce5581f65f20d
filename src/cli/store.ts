import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
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
import { currentOrigin } from './origin.ts';
import { formatCount, type JsonOption, print, printChange, remark } from './output.ts';
import { Progress } from './progress.ts';
import { readLines } from './read-lines.ts';
import { writeOut } from './write-out.ts';

const CHUNK_CHARACTERS = 64 * 1024;

interface ForceOption extends JsonOption {
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

export function storeCommand(): Command {
  const command = new Command('store').description('back up, restore and move all data');

  command
    .command('backup')
    .argument('<file>', 'the file to write')
    .description('write a verified copy of the store to a file; the service may run')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print JSON')
    .action(async (file: string, { force = false, json }: ForceOption) => {
      const { database } = readConfig();
      const counts = await database.backup(file, { overwrite: force });
      await print(json, { file: resolve(file), counts, store: database.description }, [
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
    .option('--json', 'print JSON')
    .action(async (file: string, { force, create, json }: RestoreOption) => {
      const { database } = readConfig();
      const options = { overwrite: force ?? false, create: create ?? false };
      const counts = await database.restore(file, options, currentOrigin());
      await printChange(database, json, { file: resolve(file), counts }, [
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
      await using source = await readConfig().database.openExport();
      const { counts, records } = source;
      const options = { showsPace: true, isHidden: isatty(1) };
      using progress = new Progress('Exported', totalOf(counts), options);
      let chunk = `${headerToJson(source)}\n`;
      for await (const record of records) {
        chunk += `${recordToJson(record)}\n`;
        progress.step();
        if (chunk.length < CHUNK_CHARACTERS) continue;
        await writeOut(chunk);
        chunk = '';
      }
      await writeOut(chunk);
      remark(progress.summary());
    });

  command
    .command('import')
    .description('read an export from standard input into an empty store; all or nothing')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      const lines = eachLine(readLines(Bun.stdin.stream()));
      const { value: header = '' } = await lines.next();
      const { counts, lastPetId } = parseHeader(header);
      using progress = new Progress('Imported', totalOf(counts), { showsPace: true });
      const { database } = readConfig();
      const records = parseAll(lines, counts, progress);
      await database.importAll(records, lastPetId, currentOrigin());
      await printChange(database, json, { imported: counts }, [progress.summary()]);
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
