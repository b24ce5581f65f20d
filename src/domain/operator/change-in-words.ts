import { type JsonValue, parseJson } from '../../formats/json.ts';
import type { AuditEntry } from './audit.ts';

/** Fields that an audit entry already shows as its subject, its account and its time. */
const LEFT_OUT = ['id', 'account', 'createdAt'];

/** A field that was set, changed or removed. The text of a missing value is empty. */
export interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the fields that differ, or all fields of something that was added or removed. */
export function changesOf(entry: AuditEntry): FieldChange[] {
  const old = fieldsOf(entry.oldValue);
  const changed = fieldsOf(entry.newValue);
  // After a rotation, `successorId` already names the successor.
  const leftOut = isChange(entry) ? ['successor'] : LEFT_OUT;
  return Object.keys({ ...old, ...changed })
    .filter((name) => !leftOut.includes(name))
    .map((name) => ({
      field: nameInWords(name),
      from: inWords(name, old[name]),
      to: inWords(name, changed[name]),
    }))
    .filter(({ from, to }) => from !== to);
}

/** Describes a change as "plan: free → pro", and something that was added or removed by its fields. */
export function changeInWords(entry: AuditEntry): string {
  return changesOf(entry)
    .map(({ field, from, to }) =>
      isChange(entry) ? `${field}: ${from || 'none'} → ${to || 'none'}` : `${field}: ${to || from}`,
    )
    .join(', ');
}

/** Names accounts as people know them. The name is the one at the time of the change. */
export function subjectInWords({ subject, oldValue, newValue }: AuditEntry): string {
  const { name, account } = JSON.parse(newValue ?? oldValue ?? '{}');
  if (subject.startsWith('account ')) return `account "${name}"`;
  return subject.startsWith('key ') ? `${subject} of "${account}"` : subject;
}

/** True unless something was added or removed. */
function isChange({ oldValue, newValue }: AuditEntry): boolean {
  return oldValue !== null && newValue !== null;
}

function fieldsOf(json: string | null): Record<string, JsonValue> {
  return Object(parseJson(json ?? '{}'));
}

/** Turns "suspensionReason" into "suspension reason", and "expiresAt" into "expires". */
function nameInWords(field: string): string {
  return field.replace(/(At|Id)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Returns an empty text for a missing value. */
function inWords(field: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  const isCount = typeof value === 'bigint' && !/id$/i.test(field);
  if (isCount) return value.toLocaleString('en-US');
  if (typeof value !== 'object') return String(value);
  if ('id' in value) return String(value['id']);
  return Object.entries(value)
    .map(([name, each]) => `${nameInWords(name)} ${inWords(name, each)}`)
    .join(', ');
}
