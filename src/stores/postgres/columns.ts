/** The counts of the usage history. Those of days are of the type bigint. */
const COUNT = /^(served|refused_by_\w+|\w+_errors|busiest_minute)$/;

/** SQL that reads a column as the type of its field: a time as milliseconds, a hash as hex. */
export function readColumn(column: string): string {
  if (column === 'hash') return `encode(hash, 'hex')`;
  if (COUNT.test(column)) return `${column}::float8`;
  return isTime(column) ? `(extract(epoch FROM ${column}) * 1000)::float8` : column;
}

/** The value of a field as the type of its column. */
export function toColumn(column: string, value: unknown): unknown {
  if (column === 'hash') return Buffer.from(String(value), 'hex');
  if (column === 'slots') return `{${value}}`;
  return isTime(column) && value !== null ? new Date(Number(value)) : value;
}

function isTime(column: string): boolean {
  return column.endsWith('_at');
}
