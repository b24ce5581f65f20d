import type { OperatorStore } from '../../domain/backend.ts';
import type { Origin } from '../../domain/operator/audit.ts';
import { SqlAccountStore } from './accounts.ts';
import { AuditLog } from './audit.ts';
import { SqlHistoryReader } from './history.ts';
import { SqlOperatorPets } from './operator-pets.ts';
import type { SqlDatabase } from './sql.ts';
import { SqlStagingStore } from './staging.ts';

interface Parts extends Pick<OperatorStore, 'openUsage'> {
  readonly database: SqlDatabase;
  readonly origin: Origin;
  readonly now: () => number;
  /** Default: the service closes its connections. */
  readonly dispose?: () => Promise<void>;
}

export function operatorStore(parts: Parts) {
  const { database, origin, now, openUsage, dispose = async () => {} } = parts;
  const audit = new AuditLog(database, origin, now);
  return {
    accounts: new SqlAccountStore(database, audit),
    history: new SqlHistoryReader(database),
    openPets: () => new SqlOperatorPets(database, audit),
    openUsage,
    audit,
    staging: new SqlStagingStore(database, audit),
    [Symbol.asyncDispose]: dispose,
  } satisfies OperatorStore;
}
