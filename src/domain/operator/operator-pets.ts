import type { z } from 'zod';
import { JsonSyntaxError, type JsonValue, parseJson } from '../../formats/json.ts';
import { OperatorError } from '../error.ts';
import { type NewPet, type Pet, type PetStatus, problemsOf } from '../pet.ts';

/** All that a store keeps of a pet. Only operators see its origin, which pets of 1.0.0 do not have. */
export interface StoredPet extends Pet {
  readonly addedAtMs?: number | undefined;
  /** Absent if an operator added it. */
  readonly keyId?: number | undefined;
}

export interface ListedPet extends StoredPet {
  /** Of the account whose key added it, unless they were removed. */
  readonly accountName?: string | null | undefined;
}

export interface PetFilter {
  /** The name of an account, with one of whose keys a pet was added. */
  readonly account?: string | undefined;
  readonly keyId?: number | undefined;
  /** Both inclusive. Pets of 1.0.0 match neither. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly status?: PetStatus | undefined;
  /** For the next page: only pets with a smaller id. */
  readonly beforeId?: bigint | undefined;
  readonly limit?: number | undefined;
}

export interface ImportedPets {
  readonly count: number;
  /** Undefined when there was nothing to import. */
  readonly firstId?: bigint;
  readonly lastId?: bigint;
}

/** Pets, for operators. Each change is audited. Throws `OperatorError` for a pet that does not exist. */
export interface OperatorPets {
  getPet(id: bigint): Promise<ListedPet>;
  /**
   * The newest first, in batches. The search ends where pets were added a day before `sinceMs`: clocks
   * may differ by half a day. Throws `OperatorError` for an unknown account.
   */
  findPets(filter: PetFilter): AsyncIterable<readonly ListedPet[]>;
  addPet(pet: NewPet): Promise<Pet>;
  /**
   * Adds all pets in their order, or none. An error thrown by `batches` undoes the import. Throws
   * `OperatorError` as soon as it is clear that running services would wait for too long.
   */
  importPets(batches: AsyncIterable<readonly NewPet[]>): Promise<ImportedPets>;
  /** In ascending order of id, as they were at one moment. */
  exportPets(): AsyncIterable<Pet>;
  /** Returns the pet before the change. */
  setStatus(id: bigint, status: PetStatus): Promise<Pet>;
  /** Returns the pet that was removed. Its id is never used again. */
  removePet(id: bigint): Promise<Pet>;
  /**
   * Removes those that still exist with the same origin, in slices. Each adds an audit entry with this value
   * and its count. Returns how many were removed.
   */
  removePets(pets: readonly StoredPet[], value: object): Promise<number>;
}

/** The pet in a line of NDJSON. Throws `OperatorError` with the reason. */
export function parsePetLine<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(parseLine(text));
  if (parsed.success) return parsed.data;
  throw new OperatorError(problemsOf(parsed.error, 'the line').join('; '));
}

function parseLine(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new OperatorError(`the line ${error.message}`) : error;
  }
}
