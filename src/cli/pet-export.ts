import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import type { PetExport } from '../domain/operator/operator-pets.ts';
import { petToJson } from '../domain/pet.ts';
import { PendingFile, type PendingFileOptions, refused } from '../stores/pending-file.ts';
import { Progress } from './progress.ts';
import { writeOut, writeTo } from './write-out.ts';

const CHUNK_CHARACTERS = 64 * 1024;

export interface ExportedPets {
  readonly exported: number;
  /** For a person. */
  readonly summary: string;
}

/** Writes to a file, or to standard output for "-". A file appears only once it is complete. */
export async function writePets(
  { count, pets }: PetExport,
  file: string,
  options: PendingFileOptions,
): Promise<ExportedPets> {
  using output = file === '-' ? toStandardOutput() : toFile(resolve(file), options);
  const isHidden = file === '-' && isatty(1);
  using progress = new Progress('Exported', count, { noun: 'pets', showsPace: true, isHidden });
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

function toStandardOutput(): Output {
  return { write: writeOut, finish() {}, [Symbol.dispose]() {} };
}

function toFile(file: string, options: PendingFileOptions): Output {
  const pending = new PendingFile(file, options);
  const descriptor = openSync(pending.path, 'wx');
  return {
    write: (text) =>
      writeTo(descriptor, text).catch((error) => {
        throw refused('write', file, error);
      }),
    finish: () => pending.commit(),
    [Symbol.dispose]() {
      closeSync(descriptor);
      pending[Symbol.dispose]();
    },
  };
}
