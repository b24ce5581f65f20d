import type { Database } from 'bun:sqlite';
import { dirname } from 'node:path';
import { importChange } from '../../domain/operator/audit.ts';
import {
  type ImportedPets,
  type OperatorPets,
  type PetExport,
  tooManyAtOnce,
  unknownPet,
} from '../../domain/operator/operator-pets.ts';
import { requireFreeIds } from '../../domain/operator/transfer.ts';
import type { NewPet, Pet, PetStatus } from '../../domain/pet.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import { PetCorrections } from '../sql/pet-corrections.ts';
import type { StepRunner } from '../sql/steps.ts';
import { SELECT_PETS } from '../sql/tables.ts';
import { runSteps, sqliteRunner } from './run-steps.ts';
import { isServed } from './serve-lock.ts';
import { readLastPetId } from './transfer.ts';

/** How long an import may keep a running service from creating pets. */
const MAX_LOCKED_MS = 3_000;
const LOCK_TIMEOUT_MS = 60_000;
const SLICE = 10_000;

interface Options {
  readonly maxLockedMs?: number;
  readonly runner?: StepRunner;
}

export class SqliteOperatorPets implements OperatorPets {
  readonly #database: Database;
  readonly #audit: AuditLog;
  readonly #corrections: PetCorrections;
  readonly #maxLockedMs: number;
  readonly #runner: StepRunner;

  /** The database must return integers as bigints. */
  constructor(database: Database, audit: AuditLog, options: Options = {}) {
    this.#database = database;
    this.#audit = audit;
    this.#corrections = new PetCorrections(audit, '');
    this.#maxLockedMs = options.maxLockedMs ?? MAX_LOCKED_MS;
    this.#runner = options.runner ?? sqliteRunner(database);
  }

  async getPet(id: bigint): Promise<Pet> {
    return this.#pet(id);
  }

  /**
   * Pets are staged in a temporary table, which locks nothing. Then one transaction copies them, which
   * takes a fraction of the time that reading and checking them took.
   */
  async importPets(batches: AsyncIterable<readonly NewPet[]>): Promise<ImportedPets> {
    const database = this.#database;
    // Deleted by the system even if this process is killed. The folder of the data file is writable.
    const folder = dirname(database.filename).replaceAll("'", "''");
    database.run(`PRAGMA temp_store_directory = '${folder}'`);
    database.run(`CREATE TEMP TABLE staged (place INTEGER PRIMARY KEY, name TEXT NOT NULL,
      category_id INTEGER NOT NULL, status TEXT NOT NULL) STRICT`);
    try {
      const count = await this.#stage(batches);
      if (count === 0) return { count };
      return this.#copyStaged(count);
    } finally {
      database.run('DROP TABLE temp.staged');
    }
  }

  async exportPets(status?: PetStatus): Promise<PetExport> {
    const database = this.#database;
    const filter = status === undefined ? '' : ' WHERE status = $status';
    const values = status === undefined ? [] : [{ status }];
    // The transaction stays open until the last pet is read: all of them are of one moment.
    database.run('BEGIN');
    const [[count] = []] = database.query(`SELECT count(*) FROM pets${filter}`).values(...values);
    const query = database.query<Pet, { status: string }[]>(`${SELECT_PETS}${filter} ORDER BY id`);
    async function* read() {
      yield* query.iterate(...values);
    }
    return {
      count: Number(count),
      pets: read(),
      [Symbol.asyncDispose]: async () => {
        database.run('ROLLBACK');
      },
    };
  }

  async addPet(pet: NewPet): Promise<Pet> {
    return this.#runner.commit(this.#corrections.addPet(pet));
  }

  async setStatus(id: bigint, status: PetStatus): Promise<Pet> {
    return this.#runner.commit(this.#corrections.setStatus(id, status));
  }

  async removePet(id: bigint): Promise<Pet> {
    return this.#runner.commit(this.#corrections.removePet(id));
  }

  #pet(id: bigint): Pet {
    const pet = this.#database.query<Pet, [bigint]>(`${SELECT_PETS} WHERE id = ?`).get(id);
    if (pet === null) throw unknownPet(id);
    return pet;
  }

  async #stage(batches: AsyncIterable<readonly NewPet[]>): Promise<number> {
    const insert = this.#database.query<never, [string, bigint, string]>(
      'INSERT INTO temp.staged (name, category_id, status) VALUES (?, ?, ?)',
    );
    const insertAll = this.#database.transaction((pets: readonly NewPet[]) => {
      for (const { name, categoryId, status } of pets) insert.run(name, categoryId, status);
    });
    let count = 0;
    for await (const pets of batches) {
      insertAll(pets);
      count += pets.length;
    }
    return count;
  }

  #copyStaged(count: number): ImportedPets {
    const database = this.#database;
    // A busy service leaves the lock only for moments.
    database.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
    const copy = database.query<never, [number, number]>(
      `INSERT INTO pets (name, category_id, status) SELECT name, category_id, status
       FROM temp.staged WHERE place > ? AND place <= ? ORDER BY place`,
    );
    const copyAll = database.transaction(() => {
      requireFreeIds(readLastPetId(database) + BigInt(count));
      const limitMs = performance.now() + this.#maxLockedMs;
      let isLate = false;
      let lastId = 0n;
      for (let done = 0; done < count; done += SLICE) {
        lastId = BigInt(copy.run(done, done + SLICE).lastInsertRowid);
        if (isLate || performance.now() < limitMs) continue;
        isLate = true;
        if (isServed(database.filename)) throw tooManyAtOnce();
      }
      const imported = { count, firstId: lastId - BigInt(count) + 1n, lastId };
      runSteps(database, this.#audit.record(importChange(imported)));
      return imported;
    });
    return copyAll.immediate();
  }
}
