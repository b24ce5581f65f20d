import { OperatorError } from '../error.ts';
import { JsonSyntaxError, type JsonValue, parseJson } from '../json.ts';
import { type NewPet, newPetSchema, type Pet, type PetStatus } from '../pet.ts';

/** All that a store keeps of a pet. Only operators see its origin, which pets of 1.0.0 do not have. */
export interface StoredPet extends Pet {
  readonly addedAtMs?: number | undefined;
  /** Absent if an operator added it. */
  readonly keyId?: number | undefined;
}

export interface ImportedPets {
  readonly count: number;
  /** Undefined when there was nothing to import. */
  readonly firstId?: bigint;
  readonly lastId?: bigint;
}

/** Pets, for operators. Each change is audited. Throws `OperatorError` for a pet that does not exist. */
export interface OperatorPets {
  getPet(id: bigint): Promise<Pet>;
  addPet(pet: NewPet): Promise<Pet>;
  /**
   * Adds all pets in their order, or none. An error thrown by `batches` undoes the import. If they come
   * from a file, its size tells before it is read that running services would wait for too long.
   */
  importPets(batches: AsyncIterable<readonly NewPet[]>, sizeBytes?: number): Promise<ImportedPets>;
  /** In ascending order of id, as they were at one moment. */
  exportPets(): AsyncIterable<Pet>;
  /** Returns the pet before the change. */
  setStatus(id: bigint, status: PetStatus): Promise<Pet>;
  /** Returns the pet that was removed. Its id is never used again. */
  removePet(id: bigint): Promise<Pet>;
}

/** The pet in a line of NDJSON, by the rules of createPet. Throws `OperatorError` with the reason. */
export function parsePetLine(text: string): NewPet {
  const parsed = newPetSchema.safeParse(parseLine(text));
  if (parsed.success) return parsed.data;
  const reasons = parsed.error.issues.map(
    ({ path, message }) => `${path[0]?.toString() ?? 'the line'} ${message}`,
  );
  throw new OperatorError(reasons.join('; '));
}

function parseLine(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new OperatorError(`the line ${error.message}`) : error;
  }
}
