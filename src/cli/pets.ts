import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Command, Option } from 'commander';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { parseInt64 } from '../domain/int64.ts';
import { type ImportedPets, parsePetLine } from '../domain/operator/operator-pets.ts';
import { type NewPet, PET_STATUSES, type Pet, type PetStatus, petToJson } from '../domain/pet.ts';
import { seededRandom } from '../domain/seeded-random.ts';
import { PendingFile, writing } from '../stores/pending-file.ts';
import { type Cli, parseWholeNumber } from './cli.ts';
import { BadLinesError, openInput, parseLines, readLines, writeLines } from './ndjson.ts';
import { plural } from './printable.ts';
import type { Progress } from './progress.ts';

interface ExportOptions {
  readonly status?: PetStatus;
  readonly force?: boolean;
}

interface ConfirmOption {
  readonly yes?: boolean;
}

export function petsCommand(cli: Cli): Command {
  const command = new Command('pets').description('add, export and correct pets');

  command
    .command('import')
    .argument('<file>', 'a file, or - for standard input')
    .description('add pets from NDJSON: all of them, or none; the service may run')
    .option('--dry-run', 'check the file and add nothing')
    .action(async (file: string, { dryRun = false }: { dryRun?: boolean }) => {
      try {
        await importPets(cli, file, dryRun);
      } catch (error) {
        if (!cli.json || !(error instanceof BadLinesError)) throw error;
        await cli.print({ imported: 0, problems: error.problems }, []);
        cli.exitCode = 1;
      }
    });

  command
    .command('export')
    .argument('[file]', 'a file, or - for standard output', '-')
    .description('write pets as NDJSON; the service may run')
    .addOption(new Option('--status <status>', 'only pets with this status').choices(PET_STATUSES))
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print the summary as JSON')
    .action((file: string, options: ExportOptions) => exportPets(cli, file, options));

  command
    .command('seed')
    .description('add plausible pets, to try things')
    .requiredOption('--count <n>', 'how many', parseWholeNumber)
    .option('--seed <n>', 'the same number gives the same pets', parseWholeNumber, 1)
    .action(async ({ count, seed }: { count: number; seed: number }) => {
      await using store = await cli.openStore();
      const progress = cli.progress('Added', count);
      const pets = progress.count(plausiblePets(count, seed));
      const imported = await store.openPets().importPets(pets);
      await printImported(cli, store, 'Added', imported);
    });

  command
    .command('set-status')
    .argument('<id>', 'the pet', parsePetId)
    .addArgument(new Argument('<status>', 'the new status').choices(PET_STATUSES))
    .description('correct the status of a pet; audited, and takes effect within a second')
    .option('--yes', 'do not ask')
    .action(async (id: bigint, status: PetStatus, { yes }: ConfirmOption) => {
      await using store = await cli.openStore();
      const pets = store.openPets();
      const shown = await pets.getPet(id);
      if (!(yes || shown.status === status)) {
        await cli.confirm(`Change ${describe(shown)} from ${shown.status} to ${status}?`);
      }
      const old = await pets.setStatus(id, status);
      await cli.printChange(store, { old, new: { ...old, status } }, [
        old.status === status
          ? `Nothing was changed: ${describe(old)} is already ${status}.`
          : `Changed ${describe(old)} from ${old.status} to ${status}.`,
      ]);
    });

  command
    .command('remove')
    .argument('<id>', 'the pet', parsePetId)
    .description('remove a pet for good; audited, and takes effect within a second')
    .option('--yes', 'do not ask')
    .action(async (id: bigint, { yes }: ConfirmOption) => {
      await using store = await cli.openStore();
      const pets = store.openPets();
      const shown = await pets.getPet(id);
      if (!yes) await cli.confirm(`Remove ${describe(shown)} (${shown.status}) for good?`);
      const old = await pets.removePet(id);
      await cli.printChange(store, { old, new: null }, [
        `Removed ${describe(old)} (${old.status}). The id ${old.id} is never used again.`,
      ]);
    });

  return command;
}

async function importPets(cli: Cli, file: string, isDryRun: boolean): Promise<void> {
  const progress = cli.progress('Read', undefined);
  const lines = readLines(openInput(cli.io, file));
  const pets = progress.count(parseLines(lines, parsePetLine));
  if (isDryRun) {
    let valid = 0;
    for await (const batch of pets) valid += batch.length;
    await cli.print({ valid, imported: 0 }, [
      `${plural(valid, 'pet is', 'pets are')} valid. Nothing was added, because of --dry-run.`,
    ]);
    return;
  }
  await using store = await cli.openStore();
  const imported = await store.openPets().importPets(pets);
  await printImported(cli, store, 'Imported', imported);
}

async function printImported(
  cli: Cli,
  store: OperatorStore,
  verb: string,
  { count, firstId, lastId }: ImportedPets,
): Promise<void> {
  const range = firstId === undefined ? '' : `, with ids from ${firstId} to ${lastId}`;
  await cli.printChange(store, { imported: count, firstId, lastId }, [
    `${verb} ${plural(count, 'pet')}${range}.`,
  ]);
}

/** A file appears only once it is complete. */
async function exportPets(
  cli: Cli,
  file: string,
  { status, force = false }: ExportOptions,
): Promise<void> {
  await using store = await cli.openStore();
  await using source = await store.openPets().exportPets(status);
  const toOutput = file === '-';
  const { files: except } = cli.config.database;
  using pending = toOutput
    ? undefined
    : new PendingFile(resolve(file), { overwrite: force, except });
  const progress = cli.progress('Exported', source.count, toOutput && cli.io.stdout.isTTY);
  await writeLines(linesOf(source.pets, progress), async (text) =>
    pending === undefined
      ? cli.write(text)
      : writing(resolve(file), () => appendFileSync(pending.path, text)),
  );
  pending?.commit();
  // Standard output may carry the pets.
  const { done } = progress;
  await cli.remark(
    cli.json ? JSON.stringify({ exported: done }) : `Exported ${plural(done, 'pet')}.`,
  );
}

async function* linesOf(pets: AsyncIterable<Pet>, progress: Progress): AsyncGenerator<string> {
  for await (const pet of pets) {
    progress.step();
    yield petToJson(pet);
  }
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
const CATEGORIES = 12;

const NAMES = ['Bella', 'Luna', 'Max', 'Charlie', 'Milo', 'Rocky', 'Daisy', 'Zoë', 'Pünktchen'];
const EPITHETS = ['', '', '', ' Junior', ' the Brave', ' the Quiet', ' of the Hill', ' 🐾'];
/** Most pets of a shop are for sale. */
const STATUSES: readonly PetStatus[] = ['available', 'available', 'available', 'pending', 'sold'];

/** The same seed gives the same pets. */
export function* plausiblePets(count: number, seed: number): Iterable<readonly NewPet[]> {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  for (let done = 0; done < count; done += SEED_BATCH) {
    yield Array.from({ length: Math.min(SEED_BATCH, count - done) }, () => ({
      name: pick(NAMES) + pick(EPITHETS),
      categoryId: BigInt(1 + Math.floor(random() * CATEGORIES)),
      status: pick(STATUSES),
    }));
  }
}
