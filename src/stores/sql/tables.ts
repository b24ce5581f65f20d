import { RECORD_FIELDS, RECORD_KINDS, type RecordKind } from '../../domain/operator/transfer.ts';

// SQL that SQLite and PostgreSQL share.

export const TABLES: Readonly<Record<RecordKind, string>> = {
  account: 'accounts',
  key: 'api_keys',
  pet: 'pets',
  idempotencyKey: 'idempotency_keys',
  auditEntry: 'audit',
  usageHour: 'usage_hours',
  usageDay: 'usage_days',
  keyUse: 'key_uses',
};

export const COUNT_ALL = `SELECT ${RECORD_KINDS.map(
  (kind) => `(SELECT CAST(count(*) AS integer) FROM ${TABLES[kind]}) AS "${kind}"`,
)}`;

/** A column has the name of its field: `createdAtMs` is in `created_at`. */
export function columnOf(field: string): string {
  return field.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const asItIs = (column: string): string => column;

/** Selects columns under the names of their fields. `read` converts one to the type of its field. */
export function selectList(fields: readonly string[], read = asItIs): string {
  return fields.map((field) => `${read(columnOf(field))} AS "${field}"`).join(', ');
}

export const SELECT_PETS = `SELECT ${selectList(RECORD_FIELDS.pet)} FROM ${TABLES.pet}`;

/** Milliseconds as a number, which holds them exactly, in both databases. */
const CLOCK = ['clockPutToMs', 'clockOffsetMs'].map(
  (field) => `CAST(${columnOf(field)} AS double precision) AS "${field}"`,
);
const CLOCK_COLUMNS = `${CLOCK.join(', ')}, resets`;

/** All of an `AccountRow`. */
export function accountColumns(read = asItIs): string {
  return `${selectList(RECORD_FIELDS.account, read)}, ${CLOCK_COLUMNS}`;
}

/** The queries for an `AccountRow`, a `ListedKey` and a `KnownKeyRow`, to append a WHERE clause to. */
export function accountQueries(read = asItIs) {
  const withoutHash = RECORD_FIELDS.key.filter((field) => field !== 'hash');
  const keyColumns = selectList(withoutHash, (column) => read(`k.${column}`));
  const listed = `${keyColumns}, a.name AS "accountName",
    ${read('a.suspended_at')} AS "accountSuspendedAtMs", ${CLOCK_COLUMNS}`;
  const from = 'FROM api_keys AS k JOIN accounts AS a ON a.id = k.account_id';
  return {
    account: `SELECT ${accountColumns(read)} FROM accounts`,
    listedKey: `SELECT ${listed} ${from}`,
    knownKey: `SELECT ${listed}, a.plan, a.per_minute AS "perMinute", a.per_day AS "perDay",
      ${read('a.created_at')} AS "accountCreatedAtMs",
      a.suspension_reason AS "suspensionReason" ${from}`,
  };
}
