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
import { readColumn } from './columns.ts';
import type { Pool } from './pool.ts';

const FIELDS = selectList(RECORD_FIELDS.brownout, readColumn);
const SELECT = `SELECT ${FIELDS} FROM brownouts`;

export class PostgresBrownoutStore implements BrownoutStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  currentBrownouts(nowMs: number): Promise<Brownout[]> {
    const query = `${SELECT} WHERE cancelled_at IS NULL AND ends_at > $1 ORDER BY starts_at`;
    return this.#pool.query<Brownout>(query, new Date(nowMs));
  }

  listBrownouts(): Promise<Brownout[]> {
    return this.#pool.query<Brownout>(`${SELECT} ORDER BY starts_at, id`);
  }

  scheduleBrownout(brownout: NewBrownout): Promise<Brownout> {
    const { operation, startsAtMs, endsAtMs, nowMs } = brownout;
    return this.#pool.ask((pool) =>
      pool.begin(async (sql) => {
        // Two operators who schedule at the same time must see each other's brownout.
        await sql`LOCK TABLE brownouts IN SHARE ROW EXCLUSIVE MODE`;
        requireNoOverlap(brownout, await sql.unsafe<Brownout[]>(SELECT));
        const [scheduled] = await sql.unsafe<[Brownout]>(
          `INSERT INTO brownouts (operation, starts_at, ends_at, created_at)
           VALUES ($1, $2, $3, $4) RETURNING ${FIELDS}`,
          [operation, new Date(startsAtMs), new Date(endsAtMs), new Date(nowMs)],
        );
        await insertAuditEntry(sql, brownoutAuditEntry(undefined, scheduled, nowMs));
        return scheduled;
      }),
    );
  }

  cancelBrownout(id: number, nowMs: number): Promise<Brownout> {
    return this.#pool.ask((pool) =>
      pool.begin(async (sql) => {
        const [found] = await sql.unsafe<Brownout[]>(`${SELECT} WHERE id = $1 FOR UPDATE`, [id]);
        const old = requireCancellable(found, id, nowMs);
        await sql`UPDATE brownouts SET cancelled_at = ${new Date(nowMs)} WHERE id = ${id}`;
        const cancelled = { ...old, cancelledAtMs: nowMs };
        await insertAuditEntry(sql, brownoutAuditEntry(old, cancelled, nowMs));
        return cancelled;
      }),
    );
  }
}
