import type { Account } from '../../domain/account.ts';
import type { KeyFinder, KnownKey } from '../../domain/api-key.ts';
import { hasValidChecksum } from '../../domain/key-secret.ts';
import {
  accountExists,
  fromKnownKeyRow,
  type KnownKeyRow,
} from '../../domain/operator/account-store.ts';
import { SqlAccountStore } from '../sql/account-store.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import { namePattern } from '../sql/name-pattern.ts';
import { hashSecret, SELECT_KNOWN_KEYS } from '../sql/tables.ts';
import type { Pool } from './pool.ts';
import { postgresRunner } from './run-steps.ts';

const UNIQUE_VIOLATION = '23505';
const KNOWN_KEY = `${SELECT_KNOWN_KEYS} WHERE k.hash = $1`;

export class PostgresAccountStore extends SqlAccountStore implements KeyFinder {
  readonly #pool: Pool;

  constructor(pool: Pool, audit: AuditLog) {
    super(postgresRunner(pool), audit, {
      lock: 'FOR UPDATE',
      nameOrder: 'lower(name)',
      // `lower` depends on the locale of the database.
      nameContains: (text) => ({ condition: 'name ~ $1', value: namePattern(text) }),
    });
    this.#pool = pool;
  }

  async findKey(secret: string): Promise<KnownKey | undefined> {
    if (!hasValidChecksum(secret)) return undefined;
    const [row] = await this.#pool.query<KnownKeyRow>(KNOWN_KEY, hashSecret(secret));
    return row && fromKnownKeyRow(row);
  }

  /** Another instance may take the name before the commit. */
  override async renameAccount(name: string, newName: string): Promise<Account> {
    return await super.renameAccount(name, newName).catch((error) => {
      throw error.errno === UNIQUE_VIOLATION ? accountExists(newName) : error;
    });
  }
}
