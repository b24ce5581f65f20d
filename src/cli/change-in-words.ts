import type { AuditEntry } from '../domain/audit.ts';
import { type JsonValue, parseJson } from '../domain/json.ts';

type Fields = { readonly [field: string]: JsonValue };

/** The entry has them as its subject, account and time. */
const LEFT_OUT = ['id', 'account', 'createdAt'];

/** Such as "plan: free → pro". A new or removed subject has its fields instead. */
export function changeInWords({ oldValue, newValue }: AuditEntry): string {
  const old = fieldsOf(oldValue);
  const changed = fieldsOf(newValue);
  if (old === undefined || changed === undefined) {
    const fields = Object.entries(changed ?? old ?? {}).map(([name, value]) => {
      const text = inWords(value);
      return text === '' || LEFT_OUT.includes(name) ? [] : `${nameInWords(name)}: ${text}`;
    });
    return fields.flat().join(', ');
  }
  const changes = Object.keys({ ...old, ...changed }).map((name) => {
    const before = inWords(old[name]);
    const after = inWords(changed[name]);
    // The id of a successor says the same.
    if (before === after || name === 'successor') return [];
    return `${nameInWords(name)}: ${before || 'none'} → ${after || 'none'}`;
  });
  return changes.flat().join(', ');
}

function fieldsOf(json: string | null): Fields | undefined {
  const value = json === null ? null : parseJson(json);
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : undefined;
}

/** "suspensionReason" is "suspension reason", and "expiresAt" is "expires". */
function nameInWords(field: string): string {
  return field.replace(/(At|Id)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Empty for a value that is missing. */
function inWords(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.replace(/\.\d{3}Z$/, 'Z');
  if (typeof value !== 'object') return String(value);
  if ('id' in value) return String(value['id']);
  return Object.entries(value)
    .map(([name, each]) => `${inWords(each)} ${nameInWords(name)}`)
    .join(', ');
}
