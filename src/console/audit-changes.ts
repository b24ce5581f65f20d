import { formatTime } from './format.ts';

/** A field that a change has set, changed or removed. */
export interface Change {
  /** In words. Empty for a value that is not an object. */
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The entry itself says these of something new. */
const KNOWN_FIELDS: readonly string[] = ['id', 'createdAt', 'account'];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The fields that differ between the old and the new value of an audit entry. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const left = fieldsOf(before);
  const right = fieldsOf(after);
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((field) => ({ field, from: textOf(left.get(field)), to: textOf(right.get(field)) }))
    .filter(({ from, to }) => from !== to);
}

/** Fields of an object inside the value get a name of two parts. */
function fieldsOf(value: unknown, name = ''): Map<string, unknown> {
  if (value === null || value === undefined || value === '') return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) return new Map([[name, value]]);
  const fields = Object.entries(value).filter(([field]) => !KNOWN_FIELDS.includes(field));
  return new Map(
    fields.flatMap(([field, member]) => [...fieldsOf(member, `${name} ${inWords(field)}`.trim())]),
  );
}

/** As "per minute" for `perMinute`. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return JSON.stringify(value);
  return TIME.test(value) ? formatTime(value) : value;
}
