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

export const PET_COLUMNS = selectList(RECORD_FIELDS.pet);
export const SELECT_PETS = `SELECT ${PET_COLUMNS} FROM pets`;

const WITHOUT_HASH = RECORD_FIELDS.key.filter((field) => field !== 'hash');
const CLOCK_FIELDS = ['clockPutToMs', 'clockOffsetMs', 'resets'];
const LIMIT_FIELDS = ['plan', 'perMinute', 'perDay'];
const KNOWN_FIELDS = ['id', 'accountId', 'expiresAtMs', 'revokedAtMs', 'unbannedAtMs'];
const ACCOUNT_OF_KEY = `a.name AS "accountName", a.suspended_at AS "accountSuspendedAtMs",
  ${selectList(CLOCK_FIELDS, 'a.')}`;
/** Follows the source of keys. */
export const WITH_ACCOUNT = 'AS k JOIN accounts AS a ON a.id = k.account_id';

// The queries for an `AccountRow` and a `ListedKey`, to append a WHERE clause to, and the columns of a
// `KnownKeyRow`.
export const ACCOUNT_COLUMNS = selectList([...RECORD_FIELDS.account, ...CLOCK_FIELDS]);
export const SELECT_ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
export const SELECT_LISTED_KEYS = `SELECT ${selectList(WITHOUT_HASH, 'k.')}, ${ACCOUNT_OF_KEY}
  FROM api_keys ${WITH_ACCOUNT}`;
export const KNOWN_KEY_COLUMNS = `${selectList(KNOWN_FIELDS, 'k.')}, ${ACCOUNT_OF_KEY},
  ${selectList(LIMIT_FIELDS, 'a.')}`;

/** SHA-256: all that a store keeps of a secret. */
export function hashSecret(secret: string): Uint8Array {
  return Bun.SHA256.hash(secret, new Uint8Array(32)) as Uint8Array;
}
