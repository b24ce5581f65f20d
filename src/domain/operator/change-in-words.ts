import { type JsonValue, parseJson } from '../../formats/json.ts';
import type { AuditEntry } from './audit.ts';

/** The entry has them as its subject, account and time. */
const LEFT_OUT = ['id', 'account', 'createdAt'];

/** A field that was set, changed or removed. A value that is missing is empty. */
export interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

/** The fields that differ, or all fields of something new or removed. */
export function changesOf(entry: AuditEntry): FieldChange[] {
  const old = fieldsOf(entry.oldValue);
  const changed = fieldsOf(entry.newValue);
  // The id of a successor says the same.
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

/** Such as "plan: free → pro". Something new or removed has its fields instead. */
export function changeInWords(entry: AuditEntry): string {
  return changesOf(entry)
    .map(({ field, from, to }) =>
      isChange(entry) ? `${field}: ${from || 'none'} → ${to || 'none'}` : `${field}: ${to || from}`,
    )
    .join(', ');
}

/** A person knows accounts by their names, which may have changed since. */
export function subjectInWords({ subject, oldValue, newValue }: AuditEntry): string {
  const { name, account } = JSON.parse(newValue ?? oldValue ?? '{}');
  if (subject.startsWith('account ')) return `account "${name}"`;
  return subject.startsWith('key ') ? `${subject} of "${account}"` : subject;
}

/** Nothing was added or removed. */
function isChange({ oldValue, newValue }: AuditEntry): boolean {
  return oldValue !== null && newValue !== null;
}

function fieldsOf(json: string | null): Record<string, JsonValue> {
  return Object(parseJson(json ?? '{}'));
}

/** "suspensionReason" is "suspension reason", and "expiresAt" is "expires". */
function nameInWords(field: string): string {
  return field.replace(/(At|Id)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Empty for a value that is missing. */
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
