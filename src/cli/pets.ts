import { Argument } from 'commander';
import { OPERATIONS } from '../contract/operations.ts';
import { OperatorError } from '../domain/error.ts';
import { parseInt64 } from '../domain/int64.ts';
import { type ImportedPets, parsePetLine } from '../domain/operator/operator-pets.ts';
import { type NewPet, PET_STATUSES, type Pet, type PetStatus, petToJson } from '../domain/pet.ts';
import { type Cli, type CliCommand, parseWholeNumber } from './cli.ts';
import { openInput, parseLines, readLines, writeLines } from './ndjson.ts';
import { plural } from './text.ts';

export function define(group: CliCommand, cli: Cli): void {
  group.description('add, export and correct pets');

  group
    .command('import')
    .argument('<file>', 'a file, or - for standard input')
    .description('add pets from NDJSON, all or none')
    .changes(async (store, file: string) => {
      const pets = parseLines(readLines(openInput(cli.io, file)), parsePetLine);
      const sizeBytes = file === '-' ? 0 : Bun.file(file).size;
      return imported('Imported', await store.pets.importPets(pets, sizeBytes));
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

  group
    .command('remove <id>')
    .description('remove a pet for good')
    .option('--yes', 'do not ask')
    .changes(async ({ pets }, id: string) => {
      const shown = await pets.getPet(parsePetId(id));
      await cli.confirm(`Remove ${describe(shown)} (${shown.status}) for good?`);
      const old = await pets.removePet(shown.id);
      return [
        { old, new: null },
        `Removed ${describe(old)} (${old.status}). The id ${old.id} is never used again.`,
      ];
    });
}

function imported(
  verb: string,
  { count, firstId, lastId }: ImportedPets,
): [value: object, line: string] {
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
