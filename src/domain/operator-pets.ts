import { NotFoundError, OperatorError } from './error.ts';
import { type NewPet, type Pet, type PetStatus, petToJson } from './pet.ts';
import type { RecordOf } from './transfer.ts';

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

/** The time and the command of a correction, for the audit. */
export interface Correction {
  readonly nowMs: number;
  readonly command: string;
}

/** Pets, for operators. Throws `OperatorError` for a pet that does not exist. */
export interface OperatorPets {
  getPet(id: bigint): Promise<Pet>;
  /** Adds all pets in their order, or none. An error thrown by `batches` undoes the import. */
  importPets(batches: AsyncIterable<readonly NewPet[]>): Promise<ImportedPets>;
  exportPets(status?: PetStatus): Promise<PetExport>;
  /** Returns the pet before the change. */
  setStatus(id: bigint, status: PetStatus, correction: Correction): Promise<Pet>;
  /** Returns the pet that was removed. Its id is never used again. */
  removePet(id: bigint, correction: Correction): Promise<Pet>;
}

export type NewAuditEntry = Omit<RecordOf<'auditEntry'>, 'id'>;

/** `changed` is undefined when the pet was removed. */
export function petAuditEntry(
  old: Pet,
  changed: Pet | undefined,
  { nowMs, command }: Correction,
): NewAuditEntry {
  return {
    createdAtMs: nowMs,
    action: changed === undefined ? 'pet.remove' : 'pet.set-status',
    subject: `pet ${old.id}`,
    oldValue: petToJson(old),
    newValue: changed === undefined ? null : petToJson(changed),
    command,
  };
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
