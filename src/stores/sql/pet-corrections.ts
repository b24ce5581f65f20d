import { petChange } from '../../domain/operator/audit.ts';
import { unknownPet } from '../../domain/operator/operator-pets.ts';
import type { NewPet, Pet, PetStatus } from '../../domain/pet.ts';
import type { AuditLog } from './audit-log.ts';
import type { Dialect } from './dialect.ts';
import { query, type Steps } from './steps.ts';
import { SELECT_PETS } from './tables.ts';

/** Changes of pets by an operator. */
export class PetCorrections {
  readonly #audit: AuditLog;
  readonly #lock: Dialect['lock'];

  constructor(audit: AuditLog, lock: Dialect['lock']) {
    this.#audit = audit;
    this.#lock = lock;
  }

  *addPet({ name, categoryId, status }: NewPet): Steps<Pet> {
    const [row] = yield* query<{ id: bigint }>(
      'INSERT INTO pets (name, category_id, status) VALUES ($1, $2, $3) RETURNING id',
      ...[name, categoryId, status],
    );
    const pet = { id: (row as { id: bigint }).id, name, categoryId, status };
    yield* this.#audit.record(petChange('pet.add', undefined, pet));
    return pet;
  }

  /** Returns the pet before the change. */
  *setStatus(id: bigint, status: PetStatus): Steps<Pet> {
    const old = yield* this.#pet(id);
    if (old.status === status) return old;
    yield* query('UPDATE pets SET status = $2 WHERE id = $1', id, status);
    yield* this.#audit.record(petChange('pet.set-status', old, { ...old, status }));
    return old;
  }

  *removePet(id: bigint): Steps<Pet> {
    const old = yield* this.#pet(id);
    yield* query('DELETE FROM pets WHERE id = $1', id);
    yield* this.#audit.record(petChange('pet.remove', old, undefined));
    return old;
  }

  *#pet(id: bigint): Steps<Pet> {
    const [pet] = yield* query<Pet>(`${SELECT_PETS} WHERE id = $1 ${this.#lock}`, id);
    if (pet === undefined) throw unknownPet(id);
    return pet;
  }
}
