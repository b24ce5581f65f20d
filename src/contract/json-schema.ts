/** The part of JSON Schema that describes the API. Bounds beyond 2^53 are bigints. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly examples?: readonly unknown[];
}

const REF_PREFIX = '#/components/schemas/';

export function refTo(name: string): string {
  return REF_PREFIX + name;
}

/** The name that a reference points to. */
export function nameOfRef(ref: string): string {
  return ref.slice(REF_PREFIX.length);
}
