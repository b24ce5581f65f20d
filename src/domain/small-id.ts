/** The greatest id of an account, a key or an audit entry. Only ids of pets are greater. */
export const MAX_ID = 2 ** 31 - 1;

/** Undefined for a text that is not such an id. */
export function parseId(text: string): number | undefined {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return id <= MAX_ID ? id : undefined;
}
