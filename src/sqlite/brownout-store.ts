import type { Database } from 'bun:sqlite';
import {
  type Brownout,
  type BrownoutStore,
  brownoutAuditEntry,
  type NewBrownout,
  requireCancellable,
  requireNoOverlap,
} from '../domain/brownout.ts';
import { RECORD_FIELDS } from '../domain/transfer.ts';
import { selectList } from '../sql/tables.ts';
import { insertAuditEntry } from './audit-log.ts';
import { reading } from './sqlite-errors.ts';

const SELECT = `SELECT ${selectList(RECORD_FIELDS.brownout)} FROM brownouts`;

export class SqliteBrownoutStore implements BrownoutStore {
  readonly #database: Database;
  readonly #current;

  /** The database must return integers as numbers. */
  constructor(database: Database) {
    this.#database = database;
    this.#current = database.query<Brownout, [number]>(
      `${SELECT} WHERE cancelled_at IS NULL AND ends_at > ? ORDER BY starts_at`,
    );
  }

  async currentBrownouts(nowMs: number): Promise<Brownout[]> {
    return reading(() => this.#current.all(nowMs));
  }

  async listBrownouts(): Promise<Brownout[]> {
    return this.#all();
  }

  async scheduleBrownout(brownout: NewBrownout): Promise<Brownout> {
    const schedule = this.#database.transaction(() => {
      requireNoOverlap(brownout, this.#all());
      const { operation, startsAtMs, endsAtMs, nowMs } = brownout;
      const { lastInsertRowid } = this.#database
        .query(
          'INSERT INTO brownouts (operation, starts_at, ends_at, created_at) VALUES (?, ?, ?, ?)',
        )
        .run(operation, startsAtMs, endsAtMs, nowMs);
      const scheduled = this.#get(Number(lastInsertRowid)) as Brownout;
      insertAuditEntry(this.#database, brownoutAuditEntry(undefined, scheduled, nowMs));
      return scheduled;
    });
    return schedule.immediate();
  }

  async cancelBrownout(id: number, nowMs: number): Promise<Brownout> {
    const cancel = this.#database.transaction(() => {
      const old = requireCancellable(this.#get(id), id, nowMs);
      this.#database.query('UPDATE brownouts SET cancelled_at = ? WHERE id = ?').run(nowMs, id);
      const cancelled = { ...old, cancelledAtMs: nowMs };
      insertAuditEntry(this.#database, brownoutAuditEntry(old, cancelled, nowMs));
      return cancelled;
    });
    return cancel.immediate();
  }

  #all(): Brownout[] {
    return this.#database.query<Brownout, []>(`${SELECT} ORDER BY starts_at, id`).all();
  }

  #get(id: number): Brownout | undefined {
    return this.#database.query<Brownout, [number]>(`${SELECT} WHERE id = ?`).get(id) ?? undefined;
  }
}
