import { statSync } from 'node:fs';
import { OperatorError } from '../domain/error.ts';
import type { NewPet } from '../domain/pet.ts';
import {
  isPetProblem,
  type PetFileFormat,
  type PetProblem,
  petReader,
} from '../domain/pet-file.ts';
import { Progress } from './progress.ts';
import { readLines } from './read-lines.ts';

const MAX_PROBLEMS = 20;

/** Lines that are not valid pets: the first ones, and the number of others. */
export class BadPetsError extends OperatorError {
  readonly problems: readonly PetProblem[];
  readonly more: number;

  constructor(problems: readonly PetProblem[], more: number) {
    const lines = problems.map(({ line, reason }) => `Line ${line}: ${reason}.`);
    if (more > 0) lines.push(`And ${more.toLocaleString('en-US')} more.`);
    super([...lines, 'Nothing was changed.'].join('\n'));
    this.problems = problems;
    this.more = more;
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
  let problemCount = 0;
  let bytes = 0;
  const onBytes = (count: number) => {
    bytes += count;
  };

  function note(problem: PetProblem): void {
    problemCount++;
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  }

  for await (const lines of readLines(input.stream, onBytes)) {
    const pets: NewPet[] = [];
    for (const line of lines) {
      const pet = reader.read(line);
      if (pet === undefined) continue;
      if (isPetProblem(pet)) note(pet);
      else pets.push(pet);
    }
    progress.step(pets.length, input.bytes === undefined ? undefined : bytes / input.bytes);
    // After a problem the rest is only checked, since nothing will be added.
    if (problemCount === 0 && pets.length > 0) yield pets;
  }
  const unfinished = reader.end();
  if (unfinished !== undefined) note(unfinished);
  if (problemCount > 0) throw new BadPetsError(problems, problemCount - problems.length);
  progress.note('adding them to the store');
}

export function formatOf(file: string): PetFileFormat {
  return /\.csv$/i.test(file) ? 'csv' : 'ndjson';
}

function open(file: string): { stream: ReadableStream<Uint8Array>; bytes: number | undefined } {
  if (file === '-') return { stream: Bun.stdin.stream(), bytes: undefined };
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new OperatorError(`The file ${file} does not exist.`);
  if (stat.isDirectory()) throw new OperatorError(`${file} is a folder, not a file.`);
  return { stream: Bun.file(file).stream(), bytes: stat.isFile() ? stat.size : undefined };
}
