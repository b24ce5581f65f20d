/** A field that a change has set, changed or removed. */
export interface Change {
  /** Empty for a value that is not an object. */
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The fields that differ between the old and the new value of an audit entry. */
export function changesOf(before: unknown, after: unknown): Change[] {
  const left = fieldsOf(before);
  const right = fieldsOf(after);
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .map((field) => ({ field, from: textOf(left[field]), to: textOf(right[field]) }))
    .filter(({ from, to }) => from !== to);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : { '': value };
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (value === '') return '(empty)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
