import { NotFoundError, OperatorError } from '../error.ts';
import type { NewPet, Pet, PetStatus } from '../pet.ts';

export interface ImportedPets {
  readonly count: number;
  /** Undefined when there was nothing to import. */
  readonly firstId?: bigint;
  readonly lastId?: bigint;
}

export interface PetExport extends AsyncDisposable {
  readonly count: number;
  /** In ascending order of id, as they were at one moment. */
  readonly pets: AsyncIterable<Pet>;
}

/** Pets, for operators. Each change is audited. Throws `OperatorError` for a pet that does not exist. */
export interface OperatorPets {
  getPet(id: bigint): Promise<Pet>;
  addPet(pet: NewPet): Promise<Pet>;
  /** Adds all pets in their order, or none. An error thrown by `batches` undoes the import. */
  importPets(batches: AsyncIterable<readonly NewPet[]>): Promise<ImportedPets>;
  exportPets(status?: PetStatus): Promise<PetExport>;
  /** Returns the pet before the change. */
  setStatus(id: bigint, status: PetStatus): Promise<Pet>;
  /** Returns the pet that was removed. Its id is never used again. */
  removePet(id: bigint): Promise<Pet>;
}

export function unknownPet(id: bigint): NotFoundError {
  return new NotFoundError(`Pet ${id} does not exist.`);
}

/** For an import that would hold up a running service. */
export function tooManyAtOnce(): OperatorError {
  return new OperatorError(
    'So many pets would keep the running service from creating pets for too long. ' +
      'Stop the service, or split the file. Nothing was changed.',
  );
}
