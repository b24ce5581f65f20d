import { closeSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PetExport } from '../domain/operator/operator-pets.ts';
import { petToJson } from '../domain/pet.ts';
import { PendingFile, type PendingFileOptions, writing } from '../stores/pending-file.ts';
import type { Cli } from './cli.ts';

const CHUNK_CHARACTERS = 64 * 1024;

export interface ExportedPets {
  readonly exported: number;
  /** For a person. */
  readonly summary: string;
}

/** Writes to a file, or to standard output for "-". A file appears only once it is complete. */
export async function writePets(
  cli: Cli,
  { count, pets }: PetExport,
  file: string,
  options: PendingFileOptions,
): Promise<ExportedPets> {
  using output = file === '-' ? toStandardOutput(cli) : toFile(resolve(file), options);
  const isHidden = file === '-' && cli.io.stdout.isTTY;
  using progress = cli.progress('Exported', count, { noun: 'pets', showsPace: true, isHidden });
  let exported = 0;
  let chunk = '';
  for await (const pet of pets) {
    chunk += `${petToJson(pet)}\n`;
    exported++;
    progress.step();
    if (chunk.length < CHUNK_CHARACTERS) continue;
    await output.write(chunk);
    chunk = '';
  }
  await output.write(chunk);
  output.finish();
  return { exported, summary: progress.summary() };
}

interface Output extends Disposable {
  write(text: string): Promise<void>;
  /** Everything was written. */
  finish(): void;
}

function toStandardOutput(cli: Cli): Output {
  return { write: (text) => cli.write(text), finish() {}, [Symbol.dispose]() {} };
}

function toFile(file: string, options: PendingFileOptions): Output {
  const pending = new PendingFile(file, options);
  const descriptor = openSync(pending.path, 'wx');
  return {
    write: async (text) => writing(file, () => writeFileSync(descriptor, text)),
    finish: () => pending.commit(),
    [Symbol.dispose]() {
      closeSync(descriptor);
      pending[Symbol.dispose]();
    },
  };
}
