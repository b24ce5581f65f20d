import { linkSync, writeFileSync } from 'node:fs';
import { Argument, Option } from 'commander';
import type { z } from 'zod';
import { OPERATIONS } from '#contract/operations.ts';
import { OperatorError } from '#domain/error.ts';
import { listedPetJson } from '#domain/operator/operator-json.ts';
import type { ImportedPets, ListedPet, PetFilter } from '#domain/operator/operator-pets.ts';
import { parsePetLine, savedPetSchema } from '#domain/operator/transfer.ts';
import {
  type NewPet,
  newPetSchema,
  PET_FIELDS,
  PET_STATUSES,
  type Pet,
  type PetStatus,
  petToJson,
} from '#domain/pet.ts';
import { formatTime } from '#domain/time-text.ts';
import { parseInt64 } from '#formats/int64.ts';
import { exactJson } from '#formats/json.ts';
import { platform } from '#platform.ts';
import { pendingFile } from '#stores/pending-file.ts';
import {
  type Cli,
  type CliCommand,
  type Period,
  type PrintedChange,
  parseWholeNumber,
  type Run,
} from './cli.ts';
import { parseKeyId } from './keys.ts';
import { openInput, parseLines, readLines, writeLines } from './ndjson.ts';
import { type Columns, formatCount, plural } from './text.ts';

interface PetOptions extends PetFilter, Period {
  readonly key?: number;
  readonly save?: string;
  readonly saved?: string;
}

export function define(group: CliCommand): void {
  group.description('add, export and correct pets');
  withFilters(group.reads('list', 'list pets with their time and key, the newest first', list))
    .choice('--status <status>', 'only of this status', PET_STATUSES)
    .option('--limit <n>', 'at most this many', parseWholeNumber, 100);
  group
    .changes('import', 'add pets from NDJSON, all or none', async ({ cli, store }, file: string) =>
      imported('Imported', await store.pets.importPets(readPets(cli, newPetSchema, file))),
    )
    .argument('<file>', 'a file, or - for standard input');
  group.reads('export', 'write pets to standard output as NDJSON', async ({ cli, store }) => {
    await writeLines(cli, 'pet', store.pets.exportPets(), petToJson);
  });
  group
    .changes(
      'seed',
      'add invented pets, to try things',
      async ({ store }, { count }: { count: number }) =>
        imported('Added', await store.pets.importPets(inventedPets(count))),
    )
    .requiredOption('--count <n>', 'how many', parseWholeNumber);
  group
    .changes('set-status <id>', 'correct the status of a pet', setStatus)
    .addArgument(new Argument('<status>', 'the new status').choices(PET_STATUSES))
    .asks();
  const saved = new Option('--saved <file>', 'finish a removal that has saved this file');
  withFilters(
    group.changes('remove [id]', 'remove a pet, or all that a key has added, for good', remove),
  )
    .option('--save <file>', 'a new file to keep them in (default: removed-pets-TIME.ndjson)')
    .addOption(saved.conflicts(['since', 'until', 'save']))
    .asks();
}

async function list({ cli, store }: Run, options: PetOptions): Promise<void> {
  const found = (await Array.fromAsync(store.pets.findPets(filterOf(options)))).flat();
  await cli.printTable(found.map(listedPetJson), COLUMNS);
  if (found.length === options.limit) await cli.remark('There may be more: raise --limit.');
}

async function setStatus(
  { cli, store: { pets } }: Run,
  id: string,
  status: PetStatus,
): Promise<PrintedChange> {
  const shown = await pets.getPet(parsePetId(id));
  await cli.confirm(`Change ${describe(shown)} from ${shown.status} to ${status}?`);
  const old = await pets.setStatus(shown.id, status);
  return [
    { old, new: { ...old, status } },
    `Changed ${describe(old)} from ${old.status} to ${status}.`,
  ];
}

async function remove(
  run: Run,
  id: string | undefined,
  options: PetOptions,
): Promise<PrintedChange> {
  const { key = options.account, saved, save, since, until } = options;
  // A time alone is not enough, because a mistake in it would remove the pets of every key.
  const ways = [id, key, saved].filter((way) => way !== undefined);
  const ofMany = id !== undefined && (save ?? since ?? until) !== undefined;
  if (ways.length !== 1 || ofMany) {
    throw new OperatorError(
      'Give one of these: the id of a pet, --key, --account, or --saved. ' +
        'Only --key and --account go with --since, --until and --save.',
    );
  }
  if (id === undefined) return await removeMany(run, options);
  const { pets } = run.store;
  const shown = await pets.getPet(parsePetId(id));
  await run.cli.confirm(`Remove ${describe(shown)} (${shown.status}) for good?`);
  const old = await pets.removePet(shown.id);
  return [
    { old, new: null },
    `Removed ${describe(old)} (${old.status}). The id ${old.id} is never used again.`,
  ];
}

function withFilters(command: CliCommand): CliCommand {
  return command
    .option('--account <name>', 'only those that a key of this account has added')
    .option('--key <id>', 'only those that this key has added', parseKeyId)
    .period();
}

function filterOf({ key, since, until, ...options }: PetOptions): PetFilter {
  return { ...options, keyId: key, sinceMs: since, untilMs: until };
}

type PetRow = ReturnType<typeof listedPetJson>;

/** Every field of a pet has a column with its name: `categoryId` is in "CATEGORY ID". */
const COLUMNS: Columns<PetRow> = {
  ...Object.fromEntries(
    PET_FIELDS.map((field) => [field.replace(/[A-Z]/g, ' $&').toUpperCase(), field]),
  ),
  ADDED: 'addedAt',
  WITH: keyInWords,
};

function keyInWords({ key, account }: PetRow): string {
  if (key === null) return '';
  return account === null ? `key ${key}` : `key ${key} of "${account}"`;
}

/** Saves the pets in a file before it removes them. If the command is killed, the file says which were meant. */
async function removeMany(
  { cli, store: { pets } }: Run,
  options: PetOptions,
): Promise<PrintedChange> {
  const { saved, save } = options;
  const source =
    saved === undefined ? pets.findPets(filterOf(options)) : readPets(cli, savedPetSchema, saved);
  const found = (await Array.fromAsync<readonly ListedPet[]>(source)).flat();
  const rows = found.map(listedPetJson);
  const count = rows.length;
  if (count === 0) return [{ removed: 0 }, 'No pets match. Nothing was changed.'];
  const addedWith = [...new Set(rows.map(keyInWords))].join(', ');
  const times = rows.map(({ addedAt }) => addedAt).toSorted();
  const what = `${plural(count, 'pet')}, added with ${addedWith} from ${times[0]} to ${times.at(-1)}`;
  await cli.confirm(`Remove ${what}, for good?`);
  const time = formatTime(platform.now()).replaceAll(':', '-');
  const file = saved ?? save ?? `removed-pets-${time}.ndjson`;
  if (saved === undefined) {
    savePets(file, found);
    // This does not use `remark`, because the line is needed with --json too.
    const note = `Saved ${plural(count, 'pet')} in ${file}. After an interruption, continue with --saved.`;
    await cli.report('note', note);
  }
  const removed = await pets.removePets(found, { addedWith }, cli.showProgress);
  if (removed === 0) return [{ removed, file }, 'The store has none of these pets.'];
  return [
    { removed, file },
    `Removed ${formatCount(removed)} of ${what}.`,
    `"pets import ${file}" adds them again, with new ids.`,
  ];
}

function readPets<T>(cli: Cli, schema: z.ZodType<T>, file: string): AsyncIterable<readonly T[]> {
  return parseLines(readLines(openInput(cli, file)), (line) => parsePetLine(schema, line));
}

/** Writes all pets to the disk, or none. Never replaces a file. */
function savePets(path: string, pets: readonly object[]): void {
  try {
    using pending = pendingFile(path);
    writeFileSync(pending.path, pets.map((pet) => `${exactJson(pet)}\n`).join(''));
    pending.commit(linkSync);
  } catch (error) {
    const { message } = error as Error;
    throw new OperatorError(`The pets cannot be saved: ${message}. Nothing was changed.`);
  }
}

function imported(verb: string, { count, firstId, lastId }: ImportedPets): PrintedChange {
  const range = firstId === undefined ? '' : `, with ids from ${firstId} to ${lastId}`;
  return [{ imported: count, firstId, lastId }, `${verb} ${plural(count, 'pet')}${range}.`];
}

function describe({ id, name, categoryId }: Pet): string {
  return `pet ${id} "${name}" of category ${categoryId}`;
}

function parsePetId(text: string): bigint {
  const id = parseInt64(text);
  if (id !== undefined) return id;
  throw new OperatorError(`The id of a pet is a whole number, not "${text}".`);
}

const SEED_BATCH = 1_000;
const NAMES = ['Bella', 'Luna', 'Max', 'Charlie', 'Milo', 'Rocky', 'Daisy', 'Zoë', 'Pünktchen 🐾'];

/** Returns the same pets each time. */
async function* inventedPets(count: number): AsyncGenerator<readonly NewPet[]> {
  for (let first = 0; first < count; first += SEED_BATCH) {
    yield Array.from({ length: Math.min(SEED_BATCH, count - first) }, (_, index) => ({
      // The example has a value for every field, also for fields that are added later.
      ...OPERATIONS.createPet.body.example,
      name: NAMES[index % NAMES.length] as string,
      categoryId: BigInt(1 + (index % 4)),
      status: PET_STATUSES[index % PET_STATUSES.length] as PetStatus,
    }));
  }
}
