/** A JSON value whose integers are bigints, with every digit. */
export type Json =
  | null
  | boolean
  | bigint
  | number
  | string
  | Json[]
  | { readonly [member: string]: Json };

/** No int64 is longer, and BigInt is slow for a million digits. */
const INTEGER = /^-?[0-9]{1,19}$/;

type Reviver = (name: string, value: Json, context: { readonly source?: string }) => Json;

/** Undefined if the text is not JSON. */
export function parseExactJson(text: string): Json | undefined {
  const exact: Reviver = (_, value, { source = '' }) => {
    if (typeof value !== 'number') return value;
    if (INTEGER.test(source)) return BigInt(source);
    // 7.0 is an integer too.
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  };
  try {
    return JSON.parse(text, exact as (name: string, value: Json) => Json);
  } catch {
    return undefined;
  }
}

export function isObject(
  value: Json | undefined,
): value is Exclude<Json & object, readonly unknown[]> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isInt64(value: Json | undefined): value is bigint {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}
