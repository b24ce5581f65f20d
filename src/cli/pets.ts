import { Argument, Command, Option } from 'commander';
import type { OperatorStore } from '../domain/backend.ts';
import { OperatorError } from '../domain/error.ts';
import { parseInt64 } from '../domain/int64.ts';
import type { ImportedPets } from '../domain/operator/operator-pets.ts';
import { type NewPet, PET_STATUSES, type Pet, type PetStatus } from '../domain/pet.ts';
import { parseWholeNumber } from './arguments.ts';
import type { Cli } from './cli.ts';
import { writePets } from './pet-export.ts';
import { BadPetsError, readPets } from './pet-import.ts';
import { plausiblePets } from './plausible-pets.ts';
import { formatCount } from './printable.ts';
import type { Progress } from './progress.ts';

interface ImportOptions {
  readonly dryRun?: boolean;
}

interface ExportOptions {
  readonly status?: PetStatus;
  readonly force?: boolean;
}

interface CorrectionOptions {
  readonly yes?: boolean;
}

export function petsCommand(cli: Cli): Command {
  const command = new Command('pets').description('add, export and correct pets');

  command
    .command('import')
    .argument('<file>', 'a file, or - for standard input')
    .description('add pets from NDJSON: all of them, or none; the service may run')
    .option('--dry-run', 'check the file and add nothing')
    .action((file: string, options: ImportOptions) => importPets(cli, file, options));

  command
    .command('export')
    .argument('[file]', 'a file, or - for standard output', '-')
    .description('write pets as NDJSON; the service may run')
    .addOption(statusOption())
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
      const imported = await seedPets(cli, store, count, seed);
      await printImported(cli, store, 'Added', imported);
    });

  command
    .command('set-status')
    .argument('<id>', 'the pet')
    .addArgument(new Argument('<status>', 'the new status').choices(PET_STATUSES))
    .description('correct the status of a pet; audited, and takes effect within a second')
    .option('--yes', 'do not ask')
    .action((id: string, status: PetStatus, options: CorrectionOptions) =>
      setStatus(cli, parsePetId(id), status, options),
    );

  command
    .command('remove')
    .argument('<id>', 'the pet')
    .description('remove a pet for good; audited, and takes effect within a second')
    .option('--yes', 'do not ask')
    .action((id: string, options: CorrectionOptions) => removePet(cli, parsePetId(id), options));

  return command;
}

async function seedPets(
  cli: Cli,
  store: OperatorStore,
  count: number,
  seed: number,
): Promise<ImportedPets> {
  using progress = cli.progress('Added', count, { noun: 'pets', showsPace: true });
  return await store.openPets().importPets(counted(plausiblePets(count, seed), progress));
}

async function importPets(cli: Cli, file: string, { dryRun }: ImportOptions): Promise<void> {
  const pets = readPets(cli, file);
  try {
    if (dryRun) {
      let count = 0;
      for await (const batch of pets) count += batch.length;
      await cli.print({ valid: count, imported: 0 }, [
        `${count === 1 ? '1 pet is' : `All ${formatCount(count)} pets are`} valid. Nothing was added, because of --dry-run.`,
      ]);
      return;
    }
    await using store = await cli.openStore();
    await printImported(cli, store, 'Imported', await store.openPets().importPets(pets));
  } catch (error) {
    if (!cli.json || !(error instanceof BadPetsError)) throw error;
    await cli.print({ imported: 0, problems: error.problems }, []);
    cli.exitCode = 1;
  }
}

async function printImported(
  cli: Cli,
  store: OperatorStore,
  verb: string,
  { count, firstId, lastId }: ImportedPets,
): Promise<void> {
  const range = firstId === undefined ? '' : `, with ids from ${firstId} to ${lastId}`;
  await cli.printChange(store, { imported: count, firstId, lastId }, [
    `${verb} ${formatCount(count)} ${count === 1 ? 'pet' : 'pets'}${range}.`,
  ]);
}

async function exportPets(
  cli: Cli,
  file: string,
  { status, force = false }: ExportOptions,
): Promise<void> {
  await using store = await cli.openStore();
  await using source = await store.openPets().exportPets(status);
  const { files: except } = cli.config.database;
  const written = await writePets(cli, source, file, { overwrite: force, except });
  // Standard output may carry the pets.
  if (cli.json) await cli.remark(JSON.stringify({ exported: written.exported }));
  else await cli.remark(written.summary);
}

async function setStatus(
  cli: Cli,
  id: bigint,
  status: PetStatus,
  { yes }: CorrectionOptions,
): Promise<void> {
  await using store = await cli.openStore();
  const pets = store.openPets();
  const shown = await pets.getPet(id);
  if (!(yes || shown.status === status)) {
    await cli.confirm(`Change ${describe(shown)} from ${shown.status} to ${status}?`);
  }
  const old = await pets.setStatus(id, status);
  const changed = { ...old, status };
  await cli.printChange(store, { old, new: changed }, [
    old.status === status
      ? `${capitalized(describe(old))} is already ${status}. Nothing was changed.`
      : `Changed ${describe(old)} from ${old.status} to ${status}.`,
  ]);
}

async function removePet(cli: Cli, id: bigint, { yes }: CorrectionOptions): Promise<void> {
  await using store = await cli.openStore();
  const pets = store.openPets();
  const shown = await pets.getPet(id);
  if (!yes) await cli.confirm(`Remove ${describe(shown)} (${shown.status}) for good?`);
  const old = await pets.removePet(id);
  await cli.printChange(store, { old, new: null }, [
    `Removed ${describe(old)} (${old.status}). The id ${old.id} is never used again.`,
  ]);
}

async function* counted(
  batches: Iterable<readonly NewPet[]>,
  progress: Progress,
): AsyncIterable<readonly NewPet[]> {
  for (const pets of batches) {
    progress.step(pets.length);
    yield pets;
  }
}

function describe({ id, name, categoryId }: Pet): string {
  return `pet ${id} "${name}" of category ${categoryId}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function parsePetId(text: string): bigint {
  const id = parseInt64(text);
  if (id === undefined)
    throw new OperatorError(`The id of a pet is a whole number, not "${text}".`);
  return id;
}

function statusOption(): Option {
  return new Option('--status <status>', 'only pets with this status').choices(PET_STATUSES);
}
