import { z } from 'zod';
import { OperatorError } from './error.ts';
import { parseJson } from './json.ts';
import { petSchema, petToJson } from './pet.ts';
import { PLAN_NAMES } from './plan.ts';

/** Ids and moments that stay far below 2^53, though JSON integers are read as bigints. */
const small = z.int64().transform(Number);

const schemas = {
  account: z.object({
    id: small,
    name: z.string(),
    plan: z.enum(PLAN_NAMES),
    perMinute: small.nullable(),
    perDay: small.nullable(),
    createdAtMs: small,
  }),
  key: z.object({
    id: small,
    accountId: small,
    hash: z.hash('sha256'),
    label: z.string(),
    createdAtMs: small,
    expiresAtMs: small.nullable(),
    revokedAtMs: small.nullable(),
    unbannedAtMs: small,
    successorId: small.nullable(),
  }),
  pet: petSchema,
  idempotencyKey: z.object({
    accountId: small,
    key: z.string(),
    fingerprint: z.string(),
    petId: z.int64(),
    createdAtMs: small,
  }),
};

export type RecordKind = keyof typeof schemas;

/** In the order in which they can be imported: what is referred to comes first. */
export const RECORD_KINDS = Object.keys(schemas) as RecordKind[];

/** One thing that a store keeps, on its way from one store to another. */
export type StoreRecord = {
  [Kind in RecordKind]: { readonly kind: Kind; readonly value: z.infer<(typeof schemas)[Kind]> };
}[RecordKind];

export type RecordOf<Kind extends RecordKind> = Extract<StoreRecord, { kind: Kind }>['value'];

export type Counts = Readonly<Record<RecordKind, number>>;

/** A store that can be carried elsewhere, ids and all. What the limiter counts stays behind. */
export interface StoreTransfer extends AsyncDisposable {
  /** Everything as of one moment, in the order of `RECORD_KINDS`, and how much of it there is. */
  exportAll(): Promise<{ readonly counts: Counts; readonly records: AsyncIterable<StoreRecord> }>;
  /**
   * Takes everything or nothing. Throws `OperatorError` when there is something already. What
   * `records` throws undoes all that came before.
   */
  importAll(records: AsyncIterable<StoreRecord>): Promise<void>;
}

export function requireEmpty(isEmpty: boolean): void {
  if (isEmpty) return;
  throw new OperatorError('The store to import into is not empty. Nothing was changed.');
}

const FORMAT = 'animal-store';
const VERSION = 1n;
const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  counts: z.object({ account: small, key: small, pet: small, idempotencyKey: small }),
});

/** The first line of an export. */
export function headerToJson(counts: Counts): string {
  return JSON.stringify({ format: FORMAT, version: Number(VERSION), counts });
}

export function parseHeader(line: string): Counts {
  const parsed = headerSchema.safeParse(tryParse(line));
  if (parsed.success) return parsed.data.counts;
  throw new OperatorError('This is no export of Animal Store. Nothing was changed.');
}

export function recordToJson({ kind, value }: StoreRecord): string {
  switch (kind) {
    case 'pet':
      return `{"pet":${petToJson(value)}}`;
    case 'idempotencyKey': {
      const { petId, ...rest } = value;
      return `{"idempotencyKey":{"petId":${petId},${JSON.stringify(rest).slice(1)}}`;
    }
    default:
      return JSON.stringify({ [kind]: value });
  }
}

export function parseRecord(line: string, lineNumber: number): StoreRecord {
  const value = tryParse(line);
  const [[kind, content] = []] = Object.entries((value ?? {}) as object);
  const schema = Object.hasOwn(schemas, kind ?? '') ? schemas[kind as RecordKind] : undefined;
  const parsed = schema?.safeParse(content);
  if (parsed?.success) return { kind, value: parsed.data } as StoreRecord;
  throw new OperatorError(`Line ${lineNumber} of the export cannot be read. Nothing was changed.`);
}

function tryParse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
