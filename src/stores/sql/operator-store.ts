import type { OperatorStore } from '../../domain/backend.ts';
import type { Origin } from '../../domain/operator/audit.ts';
import { SqlAccountStore } from './accounts.ts';
import { AuditLog } from './audit.ts';
import { SqlEnvironmentStore } from './environment.ts';
import { SqlHistoryReader } from './history.ts';
import { SqlOperatorPets } from './operator-pets.ts';
import type { SqlDatabase } from './sql.ts';

interface Parts extends Pick<OperatorStore, 'description' | 'openUsage'> {
  readonly database: SqlDatabase;
  readonly origin: Origin;
  readonly now: () => number;
  /** Default: the service closes its connections. */
  readonly dispose?: () => Promise<void>;
}

export function operatorStore(parts: Parts): OperatorStore {
  const { database, origin, now, description, openUsage, dispose = async () => {} } = parts;
  const audit = new AuditLog(database, origin, now);
  return {
    description,
    accounts: new SqlAccountStore(database, audit),
    history: new SqlHistoryReader(database),
    openPets: () => new SqlOperatorPets(database, audit),
    openUsage,
    audit,
    environment: new SqlEnvironmentStore(database, audit),
    [Symbol.asyncDispose]: dispose,
  };
}
