import type { Database } from 'bun:sqlite';
import type { KeyFinder, KnownKey } from '../../domain/api-key.ts';
import { hasValidChecksum } from '../../domain/key-secret.ts';
import { fromKnownKeyRow, type KnownKeyRow } from '../../domain/operator/account-store.ts';
import { SqlAccountStore } from '../sql/account-store.ts';
import type { AuditLog } from '../sql/audit-log.ts';
import { namePattern } from '../sql/name-pattern.ts';
import { hashSecret, SELECT_KNOWN_KEYS } from '../sql/tables.ts';
import { sqliteRunner } from './run-steps.ts';
import { type Reading, reading } from './sqlite-errors.ts';

export class SqliteAccountStore extends SqlAccountStore implements KeyFinder {
  readonly #reading: Reading;
  readonly #knownKey;

  /** The database must return integers as numbers: ids of accounts and keys stay small. */
  constructor(
    database: Database,
    audit: AuditLog,
    runner = sqliteRunner(database),
    read: Reading = reading,
  ) {
    super(runner, audit, {
      // A transaction locks the whole file.
      lock: '',
      nameOrder: 'name COLLATE NOCASE',
      nameContains,
    });
    this.#reading = read;
    this.#knownKey = database.query<KnownKeyRow, [Uint8Array]>(
      `${SELECT_KNOWN_KEYS} WHERE k.hash = ?`,
    );
  }

  findKey(secret: string): KnownKey | undefined {
    if (!hasValidChecksum(secret)) return undefined;
    const row = this.#reading(() => this.#knownKey.get(hashSecret(secret)));
    return row === null ? undefined : fromKnownKeyRow(row);
  }
}

/** `lower` takes half of the time, but knows only the letters of ASCII. */
function nameContains(text: string) {
  return /^[ -~]*$/.test(text)
    ? { condition: 'instr(lower(name), $1) > 0', value: text.toLowerCase() }
    : { condition: "name GLOB '*' || $1 || '*'", value: namePattern(text) };
}
