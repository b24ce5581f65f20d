import type { Database } from 'bun:sqlite';
import type { Brownout, BrownoutReader, BrownoutStore, NewBrownout } from '../domain/brownout.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import {
  BrownoutChanges,
  selectBrownouts,
  selectCurrentBrownouts,
} from '../sql/brownout-changes.ts';
import { type Commit, commitTo, rowsOf } from './run-steps.ts';
import { reading } from './sqlite-errors.ts';

// Both take a database that returns integers as numbers.

export function sqliteBrownoutReader(database: Database): BrownoutReader {
  return {
    currentBrownouts: async (nowMs) =>
      reading(() => rowsOf(database, selectCurrentBrownouts(nowMs)) as Brownout[]),
  };
}

export class SqliteBrownoutStore implements BrownoutStore {
  readonly #database: Database;
  readonly #commit: Commit;
  readonly #changes: BrownoutChanges;

  constructor(database: Database, audit: AuditLog, commit = commitTo(database)) {
    this.#database = database;
    this.#commit = commit;
    this.#changes = new BrownoutChanges(audit);
  }

  async listBrownouts(): Promise<Brownout[]> {
    return reading(() => rowsOf(this.#database, selectBrownouts()) as Brownout[]);
  }

  async scheduleBrownout(brownout: NewBrownout): Promise<Brownout> {
    return this.#commit(this.#changes.schedule(brownout));
  }

  async cancelBrownout(id: number, nowMs: number): Promise<Brownout> {
    return this.#commit(this.#changes.cancel(id, nowMs));
  }
}
