import type { OperatorStore } from '#domain/backend.ts';
import type { Origin } from '#domain/operator/audit.ts';
import type { LastIds, StoreRecord } from '#domain/operator/transfer.ts';
import { sqlAccounts } from './accounts.ts';
import { auditLog } from './audit.ts';
import { sqlEnvironment } from './environment.ts';
import { sqlHistory } from './history.ts';
import { sqlOperatorPets } from './operator-pets.ts';
import type { SqlDatabase } from './sql.ts';
import { exportStore, importStore } from './transfer.ts';

interface SqlOperatorStore extends OperatorStore, AsyncDisposable {
  /** Imports everything or nothing. */
  importAll(batches: AsyncIterable<readonly StoreRecord[]>, lastIds: LastIds): Promise<void>;
}

/** Everything that operators use, with changes recorded under one origin. Closes the database at its end. */
export function operatorStore(
  database: SqlDatabase,
  origin: Origin,
  now: () => number,
  openCounts: OperatorStore['openCounts'] = () => undefined,
): SqlOperatorStore {
  const audit = auditLog(database, origin, now);
  return {
    accounts: sqlAccounts(database, audit),
    history: sqlHistory(database),
    pets: sqlOperatorPets(database, audit, now),
    openCounts,
    audit,
    environment: sqlEnvironment(database, audit),
    openExport: () => exportStore(database),
    importAll: (batches, lastIds) => importStore(database, audit, batches, lastIds),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
