import type { OperatorStore } from '#domain/backend.ts';
import type { Origin } from '#domain/operator/audit.ts';
import { sqlAccounts } from './accounts.ts';
import { auditLog } from './audit.ts';
import { sqlEnvironment } from './environment.ts';
import { sqlHistory } from './history.ts';
import { sqlOperatorPets } from './operator-pets.ts';
import { sqlOperators } from './operators.ts';
import type { SqlDatabase } from './sql.ts';
import { exportStore } from './transfer.ts';

/** Everything that operators use, with changes recorded under one origin. Closes the database at its end. */
export function operatorStore(
  database: SqlDatabase,
  origin: Origin,
  now: () => number,
): OperatorStore & AsyncDisposable {
  const audit = auditLog(database, origin, now);
  return {
    accounts: sqlAccounts(database, audit),
    history: sqlHistory(database),
    pets: sqlOperatorPets(database, audit, now),
    openCounts: () => undefined,
    audit,
    operators: sqlOperators(database, audit, now),
    environment: sqlEnvironment(database, audit),
    openExport: () => exportStore(database),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
