import { RECORD_FIELDS, type RecordKind } from '../../domain/operator/transfer.ts';
import { selectList } from './sql.ts';

export const TABLES: Readonly<Record<RecordKind, string>> = {
  account: 'accounts',
  key: 'api_keys',
  pet: 'pets',
  idempotencyKey: 'idempotency_keys',
  auditEntry: 'audit',
  usagePeriod: 'usage_periods',
  keyUse: 'key_uses',
};

const WITHOUT_HASH = RECORD_FIELDS.key.filter((field) => field !== 'hash');
const CLOCK_FIELDS = ['clockSetToMs', 'clockOffsetMs', 'resets'];
const LIMIT_FIELDS = ['plan', 'perMinute', 'perDay'];
const KNOWN_FIELDS = ['id', 'accountId', 'expiresAtMs', 'revokedAtMs', 'unbannedAtMs', 'scope'];
const ACCOUNT_OF_KEY = `a.name AS "accountName", a.suspended_at AS "accountSuspendedAtMs",
  ${selectList(CLOCK_FIELDS, 'a.')}`;
const FROM_KEYS = 'FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id';

// The queries for an `AccountRow`, a `ListedKey` and a `KnownKeyRow`. The caller appends a WHERE clause.
export const ACCOUNT_COLUMNS = selectList([...RECORD_FIELDS.account, ...CLOCK_FIELDS]);
export const SELECT_ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
export const SELECT_LISTED_KEYS = `SELECT ${selectList(WITHOUT_HASH, 'k.')}, ${ACCOUNT_OF_KEY}
  ${FROM_KEYS}`;
export const SELECT_KNOWN_KEYS = `SELECT ${selectList(KNOWN_FIELDS, 'k.')}, ${ACCOUNT_OF_KEY},
  ${selectList(LIMIT_FIELDS, 'a.')} ${FROM_KEYS}`;

/** The SHA-256 hash. Stores keep the hash of a secret, and never the secret. */
export function hashSecret(secret: string): Uint8Array {
  return Bun.SHA256.hash(secret, new Uint8Array(32)) as Uint8Array;
}
