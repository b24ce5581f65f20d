import { OperatorError } from '../error.ts';
import { parseInt64 } from '../int64.ts';
import { JsonSyntaxError, parseJson } from '../json.ts';
import { type NewPet, newPetSchema, type Pet, petSchema, petToJson } from '../pet.ts';
import { type CsvProblem, csvRecord, parseCsvRecord } from './csv.ts';

export const PET_FILE_FORMATS = ['ndjson', 'csv'] as const;
export type PetFileFormat = (typeof PET_FILE_FORMATS)[number];

/** The same limit as for the body of a request. */
const MAX_CHARACTERS = 64 * 1024;

const COLUMNS = Object.keys(petSchema.shape) as (keyof Pet)[];
const REQUIRED_COLUMNS = ['name', 'categoryId'];

export interface PetProblem {
  readonly line: number;
  readonly reason: string;
}

/** Stands for a line that cannot be read. */
export interface UnreadableLine {
  readonly reason: string;
}

/** Turns lines into pets, by the rules of createPet. Line numbers start at 1. */
export interface PetReader {
  /** Undefined if the line is empty, or the record goes on in the next line. */
  read(line: string | UnreadableLine): NewPet | PetProblem | undefined;
  /** The problem of a record that did not end. */
  end(): PetProblem | undefined;
}

export function petReader(format: PetFileFormat): PetReader {
  return format === 'csv' ? new CsvPetReader() : new NdjsonPetReader();
}

export function isPetProblem(value: NewPet | PetProblem): value is PetProblem {
  return 'reason' in value;
}

export function petFileHeader(format: PetFileFormat): string {
  return format === 'csv' ? `${csvRecord(COLUMNS)}\n` : '';
}

export function petToLine(format: PetFileFormat, pet: Pet): string {
  const text = format === 'csv' ? csvRecord(COLUMNS.map((field) => pet[field])) : petToJson(pet);
  return `${text}\n`;
}

class NdjsonPetReader implements PetReader {
  #line = 0;

  read(text: string | UnreadableLine): NewPet | PetProblem | undefined {
    const line = ++this.#line;
    if (typeof text !== 'string') return { line, reason: text.reason };
    if (text.trim() === '') return undefined;
    if (text.length > MAX_CHARACTERS) return { line, reason: 'the line is too long' };
    try {
      return check(parseJson(text), line);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      return { line, reason: `not JSON: ${error.message}` };
    }
  }

  end(): undefined {}
}

const CSV_PROBLEMS: Readonly<Record<CsvProblem, string>> = {
  open: 'a quoted field does not end',
  stray: 'a field that contains a quote must be quoted, with the quote doubled',
};

class CsvPetReader implements PetReader {
  #line = 0;
  #startLine = 1;
  /** The lines of a record whose quoted field has not ended. */
  #begun: string | undefined;
  #columns: readonly string[] | 'unreadable' | undefined;

  read(text: string | UnreadableLine): NewPet | PetProblem | undefined {
    this.#line++;
    if (this.#columns === 'unreadable') return undefined;
    if (typeof text !== 'string') {
      this.#columns ??= 'unreadable';
      this.#begun = undefined;
      return { line: this.#line, reason: text.reason };
    }
    if (this.#begun === undefined) this.#startLine = this.#line;
    const record = this.#begun === undefined ? text : `${this.#begun}\n${text}`;
    this.#begun = undefined;
    if (record.trim() === '') return undefined;
    const line = this.#startLine;
    const fields = parseCsvRecord(record.endsWith('\r') ? record.slice(0, -1) : record);
    if (fields === 'open' && record.length <= MAX_CHARACTERS) {
      this.#begun = record;
      return undefined;
    }
    if (typeof fields === 'string') return { line, reason: CSV_PROBLEMS[fields] };
    if (this.#columns !== undefined) return this.#toPet(fields, this.#columns, line);
    this.#columns = requireHeader(fields);
    return undefined;
  }

  end(): PetProblem | undefined {
    if (this.#begun === undefined) return undefined;
    return { line: this.#startLine, reason: CSV_PROBLEMS.open };
  }

  #toPet(fields: readonly string[], columns: readonly string[], line: number) {
    if (fields.length !== columns.length) {
      const reason = `the header has ${columns.length} fields, this line ${fields.length}`;
      return { line, reason };
    }
    const pet: Record<string, unknown> = {};
    for (const [place, column] of columns.entries()) {
      const field = fields[place] as string;
      // A spreadsheet may have rounded a number with an exponent, so only plain digits count.
      if (column === 'categoryId') pet[column] = parseInt64(field) ?? field;
      else if (column !== 'status' || field !== '') pet[column] = field;
    }
    return check(pet, line);
  }
}

function requireHeader(columns: readonly string[]): readonly string[] {
  const isKnown = (name: string) => (COLUMNS as string[]).includes(name);
  const isComplete = REQUIRED_COLUMNS.every((name) => columns.includes(name));
  const isUnique = new Set(columns).size === columns.length;
  if (isComplete && isUnique && columns.every(isKnown)) return columns;
  throw new OperatorError(
    'The first line of a CSV file must name its columns: name, categoryId and optionally status. ' +
      'A column id is ignored. Nothing was changed.',
  );
}

function check(value: unknown, line: number): NewPet | PetProblem {
  const parsed = newPetSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(
    ({ path, message }) => `${path[0]?.toString() ?? 'the line'} ${message}`,
  );
  return { line, reason: reasons.join('; ') };
}
