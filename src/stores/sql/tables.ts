import {
  RECORD_FIELDS,
  RECORD_KINDS,
  type RecordKind,
  type StoreRecord,
} from '../../domain/operator/transfer.ts';

// SQL that SQLite and PostgreSQL share.

export const TABLES: Readonly<Record<RecordKind, string>> = {
  account: 'accounts',
  key: 'api_keys',
  pet: 'pets',
  idempotencyKey: 'idempotency_keys',
  auditEntry: 'audit',
  usagePeriod: 'usage_periods',
  keyUse: 'key_uses',
};

export const COUNT_ALL = `SELECT ${RECORD_KINDS.map(
  (kind) => `(SELECT CAST(count(*) AS integer) FROM ${TABLES[kind]}) AS "${kind}"`,
)}`;

/** A column has the name of its field: `createdAtMs` is in `created_at`. */
export function columnOf(field: string): string {
  return field.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Selects columns under the names of their fields. JavaScript holds milliseconds exactly as doubles,
 * while PostgreSQL would return them as bigints.
 */
export function selectList(fields: readonly string[], prefix = ''): string {
  const columns = fields.map((field) => {
    const column = `${prefix}${columnOf(field)}`;
    const read = field.endsWith('Ms') ? `CAST(${column} AS double precision)` : column;
    return `${read} AS "${field}"`;
  });
  return columns.join(', ');
}

/** For an export. */
export function selectRecords(kind: RecordKind): string {
  const columns = RECORD_FIELDS[kind].map((field) => `${columnOf(field)} AS "${field}"`);
  return `SELECT ${columns.join(', ')} FROM ${TABLES[kind]} ORDER BY 1, 2`;
}

/** A row of `selectRecords`. */
export function toRecord(kind: RecordKind, row: object): StoreRecord {
  if (kind === 'pet') return { kind, value: row } as StoreRecord;
  const value = withNumbers(row);
  const hash = 'hash' in row && { hash: Buffer.from(row.hash as Uint8Array).toString('hex') };
  return { kind, value: { ...value, ...hash } } as StoreRecord;
}

/** Only ids of pets need the whole range of an int64. */
export function withNumbers<T extends object>(row: T): T {
  const entries = Object.entries(row).map(([field, value]) => [
    field,
    typeof value === 'bigint' && field !== 'petId' ? Number(value) : value,
  ]);
  return Object.fromEntries(entries);
}

export const SELECT_PETS = `SELECT ${selectList(RECORD_FIELDS.pet)} FROM ${TABLES.pet}`;

const WITHOUT_HASH = RECORD_FIELDS.key.filter((field) => field !== 'hash');
const CLOCK_FIELDS = ['clockPutToMs', 'clockOffsetMs', 'resets'];
const LISTED = `${selectList(WITHOUT_HASH, 'k.')}, a.name AS "accountName",
  CAST(a.suspended_at AS double precision) AS "accountSuspendedAtMs",
  ${selectList(CLOCK_FIELDS, 'a.')}`;
const FROM_KEYS = 'FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id';

// The queries for an `AccountRow`, a `ListedKey` and a `KnownKeyRow`, to append a WHERE clause to.
export const ACCOUNT_COLUMNS = selectList([...RECORD_FIELDS.account, ...CLOCK_FIELDS]);
export const SELECT_ACCOUNTS = `SELECT ${ACCOUNT_COLUMNS} FROM accounts`;
export const SELECT_LISTED_KEYS = `SELECT ${LISTED} ${FROM_KEYS}`;
export const SELECT_KNOWN_KEYS = `SELECT ${LISTED}, a.plan, a.per_minute AS "perMinute",
  a.per_day AS "perDay", CAST(a.created_at AS double precision) AS "accountCreatedAtMs",
  a.suspension_reason AS "suspensionReason" ${FROM_KEYS}`;

/** SHA-256: all that a store keeps of a secret. */
export function hashSecret(secret: string): Uint8Array {
  return Bun.SHA256.hash(secret, new Uint8Array(32)) as Uint8Array;
}
