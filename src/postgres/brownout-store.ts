import type { Brownout, BrownoutReader, BrownoutStore, NewBrownout } from '../domain/brownout.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import {
  BrownoutChanges,
  selectBrownouts,
  selectCurrentBrownouts,
} from '../sql/brownout-changes.ts';
import type { Steps } from '../sql/steps.ts';
import { readColumn } from './columns.ts';
import type { Pool } from './pool.ts';
import { runSteps } from './run-steps.ts';

export function postgresBrownoutReader(pool: Pool): BrownoutReader {
  return {
    currentBrownouts(nowMs) {
      const { sql, values } = selectCurrentBrownouts(nowMs, readColumn);
      return pool.query(sql, ...values);
    },
  };
}

export class PostgresBrownoutStore implements BrownoutStore {
  readonly #pool: Pool;
  readonly #changes: BrownoutChanges;

  constructor(pool: Pool, audit: AuditLog) {
    this.#pool = pool;
    this.#changes = new BrownoutChanges(audit, readColumn);
  }

  listBrownouts(): Promise<Brownout[]> {
    return this.#pool.query(selectBrownouts(readColumn).sql);
  }

  scheduleBrownout(brownout: NewBrownout): Promise<Brownout> {
    return this.#commit(this.#changes.schedule(brownout));
  }

  cancelBrownout(id: number, nowMs: number): Promise<Brownout> {
    return this.#commit(this.#changes.cancel(id, nowMs));
  }

  /** Operators who make changes at the same time must see each other's. */
  #commit(steps: Steps<Brownout>): Promise<Brownout> {
    return this.#pool.ask((pool) =>
      pool.begin(async (sql) => {
        await sql`LOCK TABLE brownouts IN SHARE ROW EXCLUSIVE MODE`;
        return await runSteps(sql, steps);
      }),
    );
  }
}
