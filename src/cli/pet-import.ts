import { createReadStream, statSync } from 'node:fs';
import { OperatorError } from '../domain/error.ts';
import { type BadLine, parsePetLine } from '../domain/operator/operator-pets.ts';
import type { NewPet } from '../domain/pet.ts';
import type { Cli } from './cli.ts';
import { tryLines } from './read-lines.ts';

/** More lines would push the first ones off the screen. */
const MAX_SHOWN = 20;

const CHUNK_BYTES = 256 * 1024;

interface PetProblem extends BadLine {
  readonly line: number;
}

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
export async function* readPets(cli: Cli, file: string): AsyncGenerator<readonly NewPet[]> {
  const input = open(cli, file);
  using progress = cli.progress('Read', undefined, { noun: 'pets', showsPace: true });
  const problems: PetProblem[] = [];
  let lineNumber = 0;
  let bytes = 0;
  const onBytes = (count: number) => {
    bytes += count;
  };

  for await (const lines of tryLines(input.stream, onBytes)) {
    const pets: NewPet[] = [];
    for (const line of lines) {
      lineNumber++;
      const pet = typeof line === 'string' ? parsePetLine(line) : line;
      if (pet === undefined) continue;
      if ('reason' in pet) problems.push({ line: lineNumber, reason: pet.reason });
      else pets.push(pet);
    }
    progress.step(pets.length, input.bytes === undefined ? undefined : bytes / input.bytes);
    // After a problem the rest is only checked, since nothing will be added.
    if (problems.length === 0 && pets.length > 0) yield pets;
  }
  if (problems.length > 0) throw new BadPetsError(problems);
  progress.note('adding them to the store');
}

function open(
  cli: Cli,
  file: string,
): { stream: AsyncIterable<Uint8Array>; bytes: number | undefined } {
  if (file === '-') return { stream: cli.io.input(), bytes: undefined };
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new OperatorError(`The file ${file} does not exist.`);
  if (stat.isDirectory()) throw new OperatorError(`${file} is a folder, not a file.`);
  // Bun.file() cannot stream /dev/null.
  return {
    stream: createReadStream(file, { highWaterMark: CHUNK_BYTES }),
    bytes: stat.isFile() ? stat.size : undefined,
  };
}
