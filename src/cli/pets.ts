import { linkSync, writeFileSync } from 'node:fs';
import { Argument, Option } from 'commander';
import type { z } from 'zod';
import { OPERATIONS } from '../contract/operations.ts';
import { OperatorError } from '../domain/error.ts';
import { parseInt64 } from '../domain/int64.ts';
import { exactJson } from '../domain/json.ts';
import { listedPetJson } from '../domain/operator/operator-json.ts';
import {
  type ImportedPets,
  type ListedPet,
  type OperatorPets,
  type PetFilter,
  parsePetLine,
} from '../domain/operator/operator-pets.ts';
import { savedPetSchema } from '../domain/operator/transfer.ts';
import {
  type NewPet,
  newPetSchema,
  PET_STATUSES,
  type Pet,
  type PetStatus,
  petToJson,
} from '../domain/pet.ts';
import { formatTime, parseSince, parseUntil, TIME_FORMS } from '../domain/time-text.ts';
import { platform } from '../platform.ts';
import { pendingFile } from '../stores/pending-file.ts';
import { type Cli, type CliCommand, type PrintedChange, parseWholeNumber } from './cli.ts';
import { parseKeyId } from './keys.ts';
import { openInput, parseLines, readLines, writeLines } from './ndjson.ts';
import { type Columns, formatCount, plural, printable } from './text.ts';

interface PetOptions {
  readonly account?: string;
  readonly key?: number;
  readonly since?: number;
  readonly until?: number;
  readonly status?: PetStatus;
  readonly limit?: number;
  readonly save?: string;
  readonly saved?: string;
}

export function define(group: CliCommand, cli: Cli): void {
  group.description('add, export and correct pets');

  withFilters(group.command('list'))
    .description('list pets with their time and key, the newest first')
    .addOption(new Option('--status <status>', 'only of this status').choices(PET_STATUSES))
    .option('--limit <n>', 'at most this many', parseWholeNumber, 100)
    .withStore(async ({ pets }, options: PetOptions) => {
      const found = (await Array.fromAsync(pets.findPets(filterOf(options)))).flat();
      await cli.printTable(found.map(listedPetJson), COLUMNS);
      if (found.length === options.limit) await cli.remark('There may be more: raise --limit.');
    });

  group
    .command('import')
    .argument('<file>', 'a file, or - for standard input')
    .description('add pets from NDJSON, all or none')
    .changes(async (store, file: string) => {
      const pets = readPets(cli, newPetSchema, file);
      return imported('Imported', await store.pets.importPets(pets));
    });

  group
    .command('export')
    .description('write pets to standard output as NDJSON')
    .withStore(async (store) => {
      const count = await writeLines(cli, store.pets.exportPets(), petToJson);
      await cli.remark(`Exported ${plural(count, 'pet')}.`);
    });

  group
    .command('seed')
    .description('add plausible pets, to try things')
    .requiredOption('--count <n>', 'how many', parseWholeNumber)
    .changes(async (store, { count }: { count: number }) => {
      const added = await store.pets.importPets(plausiblePets(count));
      return imported('Added', added);
    });

  group
    .command('set-status <id>')
    .addArgument(new Argument('<status>', 'the new status').choices(PET_STATUSES))
    .description('correct the status of a pet')
    .option('--yes', 'do not ask')
    .changes(async ({ pets }, id: string, status: PetStatus) => {
      const shown = await pets.getPet(parsePetId(id));
      await cli.confirm(`Change ${describe(shown)} from ${shown.status} to ${status}?`);
      const old = await pets.setStatus(shown.id, status);
      return [
        { old, new: { ...old, status } },
        `Changed ${describe(old)} from ${old.status} to ${status}.`,
      ];
    });

  withFilters(group.command('remove [id]'))
    .description('remove a pet, or all that a key has added, for good')
    .option('--save <file>', 'a new file to keep them in (default: removed-pets-TIME.ndjson)')
    .addOption(
      new Option('--saved <file>', 'finish a removal that has saved this file').conflicts([
        'since',
        'until',
        'save',
      ]),
    )
    .option('--yes', 'do not ask')
    .changes(async ({ pets }, id: string | undefined, options: PetOptions) => {
      const { key = options.account, saved, save, since, until } = options;
      // Not a time alone: a mistake in it must not remove the pets of every key.
      const ways = [id, key, saved].filter((way) => way !== undefined);
      const ofMany = id !== undefined && (save ?? since ?? until) !== undefined;
      if (ways.length !== 1 || ofMany) {
        throw new OperatorError('Give the id of a pet, or --key or --account, or --saved.');
      }
      if (id === undefined) return await removeMany(cli, pets, options);
      const shown = await pets.getPet(parsePetId(id));
      await cli.confirm(`Remove ${describe(shown)} (${shown.status}) for good?`);
      const old = await pets.removePet(shown.id);
      return [
        { old, new: null },
        `Removed ${describe(old)} (${old.status}). The id ${old.id} is never used again.`,
      ];
    });
}

function withFilters(command: CliCommand): CliCommand {
  return command
    .option('--account <name>', 'only those that a key of this account has added')
    .option('--key <id>', 'only those that this key has added', parseKeyId)
    .option('--since <when>', TIME_FORMS, (text) => parseSince(text, platform.now()))
    .option('--until <when>', TIME_FORMS, (text) => parseUntil(text, platform.now()));
}

function filterOf({ account, key, since, until, status, limit }: PetOptions): PetFilter {
  return { account, keyId: key, sinceMs: since, untilMs: until, status, limit };
}

type PetRow = ReturnType<typeof listedPetJson>;

const COLUMNS: Columns<PetRow> = {
  ID: 'id',
  NAME: 'name',
  CATEGORY: 'categoryId',
  STATUS: 'status',
  ADDED: ({ addedAt }) => addedAt ?? '',
  WITH: keyInWords,
};

function keyInWords({ key, account }: PetRow): string {
  if (key === null) return '';
  return account === null ? `key ${key}` : `key ${key} of "${account}"`;
}

/** Saves the pets before it removes them. After a kill, the file says what is left. */
async function removeMany(
  cli: Cli,
  pets: OperatorPets,
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
  const [from, to] = [times[0], times.at(-1)];
  const what = `${plural(count, 'pet')}, added with ${addedWith} from ${from} to ${to}`;
  await cli.confirm(`Remove ${what}, for good?`);
  const time = formatTime(platform.now()).replaceAll(':', '-');
  const file = saved ?? save ?? `removed-pets-${time}.ndjson`;
  if (saved === undefined) {
    savePets(file, found);
    // Also with --json.
    const note = `Saved ${plural(count, 'pet')} in ${file}. After an interruption, continue with --saved.`;
    await cli.io.stderr.write(`${printable(note)}\n`);
  }
  const removed = await pets.removePets(found, { addedWith });
  if (removed === 0) return [{ removed, file }, 'The store has none of these pets.'];
  return [
    { removed, file },
    `Removed ${formatCount(removed)} of ${what}.`,
    `"pets import ${file}" adds them again, with new ids.`,
  ];
}

function readPets<T>(cli: Cli, schema: z.ZodType<T>, file: string): AsyncIterable<readonly T[]> {
  return parseLines(readLines(openInput(cli.io, file)), (line) => parsePetLine(schema, line));
}

/** They are on disk afterwards, all or none. Never replaces a file. */
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

/** The same pets each time. */
async function* plausiblePets(count: number): AsyncGenerator<readonly NewPet[]> {
  for (let first = 0; first < count; first += SEED_BATCH) {
    yield Array.from({ length: Math.min(SEED_BATCH, count - first) }, (_, index) => ({
      // Includes fields that were added later.
      ...OPERATIONS.createPet.body.example,
      name: NAMES[index % NAMES.length] as string,
      categoryId: BigInt(1 + (index % 4)),
      status: PET_STATUSES[index % PET_STATUSES.length] as PetStatus,
    }));
  }
}
