import type { OperatorStore } from '#domain/backend.ts';
import { sqlAccounts } from './accounts.ts';
import { auditReader, type ChangeOptions, changer } from './audit.ts';
import { sqlEnvironment } from './environment.ts';
import { sqlHistory } from './history.ts';
import { sqlOperatorPets } from './operator-pets.ts';
import { sqlOperators } from './operators.ts';
import type { SqlDatabase } from './sql.ts';
import { exportStore } from './transfer.ts';

/** Everything that operators use, with changes recorded under one origin. Closes the database at its end. */
export function operatorStore(
  database: SqlDatabase,
  options: ChangeOptions,
): OperatorStore & AsyncDisposable {
  const change = changer(database, options);
  return {
    accounts: sqlAccounts(database, change, options.now),
    history: sqlHistory(database),
    pets: sqlOperatorPets(database, change, options.now),
    audit: auditReader(database),
    operators: sqlOperators(database, change),
    environment: sqlEnvironment(database, change),
    openExport: () => exportStore(database),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
