import { createReadStream, statSync } from 'node:fs';
import { OperatorError } from '../domain/error.ts';
import {
  isPetProblem,
  type PetFileFormat,
  type PetProblem,
  petReader,
} from '../domain/operator/pet-file.ts';
import type { NewPet } from '../domain/pet.ts';
import { Progress } from './progress.ts';
import { tryLines } from './read-lines.ts';

/** More lines would push the first ones off the screen. */
const MAX_SHOWN = 20;

const CHUNK_BYTES = 256 * 1024;

/** Lines that are not valid pets. The message has the first ones, and the number of others. */
export class BadPetsError extends OperatorError {
  readonly problems: readonly PetProblem[];

  constructor(problems: readonly PetProblem[]) {
    const shown = problems.slice(0, MAX_SHOWN);
    const lines = shown.map(({ line, reason }) => `Line ${line}: ${reason}.`);
    const more = problems.length - shown.length;
    if (more > 0) lines.push(`And ${more.toLocaleString('en-US')} more.`);
    super([...lines, 'Nothing was changed.'].join('\n'));
    this.problems = problems;
  }
}

/** Reads a file, or standard input for "-". Throws `BadPetsError` after the last line. */
export async function* readPets(
  file: string,
  format: PetFileFormat = formatOf(file),
): AsyncGenerator<readonly NewPet[]> {
  const input = open(file);
  using progress = new Progress('Read', undefined, { noun: 'pets', showsPace: true });
  const reader = petReader(format);
  const problems: PetProblem[] = [];
  let bytes = 0;
  const onBytes = (count: number) => {
    bytes += count;
  };

  for await (const lines of tryLines(input.stream, onBytes)) {
    const pets: NewPet[] = [];
    for (const line of lines) {
      const pet = reader.read(line);
      if (pet === undefined) continue;
      if (isPetProblem(pet)) problems.push(pet);
      else pets.push(pet);
    }
    progress.step(pets.length, input.bytes === undefined ? undefined : bytes / input.bytes);
    // After a problem the rest is only checked, since nothing will be added.
    if (problems.length === 0 && pets.length > 0) yield pets;
  }
  const unfinished = reader.end();
  if (unfinished !== undefined) problems.push(unfinished);
  if (problems.length > 0) throw new BadPetsError(problems);
  progress.note('adding them to the store');
}

export function formatOf(file: string): PetFileFormat {
  return /\.csv$/i.test(file) ? 'csv' : 'ndjson';
}

function open(file: string): { stream: AsyncIterable<Uint8Array>; bytes: number | undefined } {
  if (file === '-') return { stream: Bun.stdin.stream(), bytes: undefined };
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new OperatorError(`The file ${file} does not exist.`);
  if (stat.isDirectory()) throw new OperatorError(`${file} is a folder, not a file.`);
  // Bun.file() cannot stream /dev/null.
  return {
    stream: createReadStream(file, { highWaterMark: CHUNK_BYTES }),
    bytes: stat.isFile() ? stat.size : undefined,
  };
}
