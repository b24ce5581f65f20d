import { z } from 'zod';
import { isAccountName, parseNote } from '#domain/account.ts';
import { type ApiKey, KEY_SCOPES } from '#domain/api-key.ts';
import { OperatorError } from '#domain/error.ts';
import { IDEMPOTENCY_KEY_PATTERN } from '#domain/idempotency-key.ts';
import { petSchema, problemsOf, smallInteger } from '#domain/pet.ts';
import { limitsFromStore, PLAN_NAMES } from '#domain/plan.ts';
import { INT64_MAX, INT64_MIN, MAX_ID } from '#formats/int64.ts';
import { exactFields, exactJson, JsonSyntaxError, parseJson } from '#formats/json.ts';
import type { AccountRow } from './account-store.ts';

const id = smallInteger(0, MAX_ID);
const limit = smallInteger(0, 2 ** 31 - 1);
const moment = smallInteger(0, 8.64e15);
const count = smallInteger(0, Number.MAX_SAFE_INTEGER);

/** A list begins after the smallest int64, and new pets need ids that are greater than all others. */
const MAX_PET_ID = INT64_MAX - 2n ** 32n;
const PET_ID_RULE = `must have an id from ${INT64_MIN + 1n} to ${MAX_PET_ID}`;

/** Makes a check for Zod from a function that throws the rule. */
function ruleOf<T>(parse: (value: T) => unknown) {
  return (value: T, context: z.RefinementCtx<T>) => {
    try {
      parse(value);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
  };
}

const jsonText = z.string().superRefine(ruleOf(parseJson));
const note = z.string().superRefine(ruleOf(parseNote));

const storedPetSchema = petSchema
  .extend({
    addedAtMs: moment.optional(),
    /** The API key that added the pet. Absent if an operator added it. */
    keyId: id.optional(),
  })
  .refine(({ id }) => id > INT64_MIN && id <= MAX_PET_ID, PET_ID_RULE);

/** A pet that "pets remove" has saved. */
export const savedPetSchema = storedPetSchema
  .safeExtend({ accountName: z.string().nullish() })
  .refine(
    ({ addedAtMs, keyId }) => addedAtMs !== undefined && keyId !== undefined,
    'has no addedAtMs or no keyId, so "pets remove" has not saved it',
  );

const schemas = {
  account: z
    .object({
      id,
      name: z.string().refine(isAccountName, 'must be a name that accounts can have'),
      plan: z.enum(PLAN_NAMES),
      perMinute: limit.nullable(),
      perDay: limit.nullable(),
      createdAtMs: moment,
      suspendedAtMs: moment.nullable(),
      suspensionReason: note,
    })
    .superRefine(ruleOf(limitsFromStore)),
  key: z.object({
    id,
    accountId: id,
    hash: z.hash('sha256'),
    lastFour: z.string().regex(/^[0-9A-Za-z]{4}$/),
    label: note,
    createdAtMs: moment,
    expiresAtMs: moment.nullable(),
    revokedAtMs: moment.nullable(),
    unbannedAtMs: moment,
    successorId: id.nullable(),
    scope: z.enum(KEY_SCOPES).default('all'),
  }),
  pet: storedPetSchema,
  idempotencyKey: z.object({
    accountId: id,
    key: z.string().regex(IDEMPOTENCY_KEY_PATTERN, 'must be a valid Idempotency-Key'),
    fingerprint: z.string(),
    petId: z.int64(),
    createdAtMs: moment,
  }),
  auditEntry: z.object({
    id,
    createdAtMs: moment,
    action: z.string(),
    /** A kind and an id, such as "pet 7". */
    subject: z.string(),
    /** The values before and after the change. Null if nothing was there before, or is there now. */
    oldValue: jsonText.nullable(),
    newValue: jsonText.nullable(),
    command: z.string(),
    operator: z.string(),
    /** The account that changed, or the account of the key that changed. */
    accountId: id.nullable(),
  }),
  usagePeriod: z.object({
    accountId: id,
    startsAtMs: moment,
    keyId: id,
    /** `unknown` for a path or a method that has no operation, as in the metrics. */
    operation: z.string(),
    served: count,
    refusedByMinute: count,
    refusedByDay: count,
    refusedByBan: count,
    clientErrors: count,
    serverErrors: count,
    /** The most requests that the limiter counted in one minute of the account, with all its keys. */
    busiestMinute: count,
    lastAtMs: moment,
  }),
  keyUse: z.object({
    accountId: id,
    keyId: id,
    /** The last accepted request, or 0. */
    lastAtMs: moment,
    refusedAtMs: moment.nullable().default(null),
    refusal: z.string().nullable().default(null),
  }),
} satisfies {
  readonly account: z.ZodType<Omit<AccountRow, 'clockSetToMs' | 'clockOffsetMs' | 'resets'>>;
  readonly key: z.ZodType<ApiKey>;
  readonly [kind: string]: z.ZodType;
};

/** Everything that an export contains. Test clocks are not part of it, because they belong to their store. */
export type Records = { readonly [Kind in keyof typeof schemas]: z.infer<(typeof schemas)[Kind]> };

export type RecordKind = keyof Records;

/** The kinds in the order of an import, in which a record comes after the records that it refers to. */
export const RECORD_KINDS = Object.keys(schemas) as RecordKind[];

/** The fields of each kind. A store has a column for each of them. */
export const RECORD_FIELDS = Object.fromEntries(
  RECORD_KINDS.map((kind) => [kind, Object.keys(schemas[kind].shape)]),
) as Readonly<Record<RecordKind, string[]>>;

const PET_FIELDS = RECORD_FIELDS.pet as (keyof Records['pet'])[];

/** A record that is moved from one store to another. */
export type StoreRecord = {
  [Kind in RecordKind]: { readonly kind: Kind; readonly value: Records[Kind] };
}[RecordKind];

export type RecordCounts = Readonly<Record<RecordKind, number>>;

/** A snapshot of a store with all its ids. The counts of the limiter are not part of it. */
export interface Export extends ExportHeader, AsyncDisposable {
  /** The records are in the order of `RECORD_KINDS`. */
  readonly records: AsyncIterable<StoreRecord>;
}

const FORMAT = 'animal-store';
/**
 * Increase it with every change of the format, so that an older program refuses an export of which it would
 * lose a part. Every newer program reads all earlier versions, so a new field is optional or has a default.
 */
export const VERSION = 3n;
const lastIds = { pet: z.int64().min(0n).max(MAX_PET_ID), account: id, key: id, auditEntry: id };
const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.bigint().min(1n).max(VERSION),
  lastIds: z.object(lastIds),
  counts: z.record(z.enum(RECORD_KINDS), count),
});

/** The kinds of records that get their ids from the store. */
export const NUMBERED_KINDS = Object.keys(lastIds) as (keyof typeof lastIds)[];

/** The greatest id that each kind has ever had, even if that record was removed. */
export type LastIds = Readonly<Record<keyof typeof lastIds, bigint | number>>;

interface ExportHeader {
  readonly counts: RecordCounts;
  readonly lastIds: LastIds;
}

/** Writes the first line of an export. */
export function headerToJson({ counts, lastIds }: ExportHeader): string {
  return exactJson({ format: FORMAT, version: VERSION, lastIds, counts });
}

export function parseHeader(line: string): ExportHeader {
  const header = tryParse(line);
  const parsed = headerSchema.safeParse(header);
  if (parsed.success) return parsed.data;
  const { format, version } = Object(header) as { format?: unknown; version?: unknown };
  throw new OperatorError(
    format === FORMAT && typeof version === 'bigint' && version > VERSION
      ? 'A newer version of Animal Store wrote this export. Use that version. Nothing was changed.'
      : 'This is not an Animal Store export. Nothing was changed.',
  );
}

export function recordToJson({ kind, value }: StoreRecord): string {
  // Most records are pets, for which this is faster.
  return kind === 'pet'
    ? JSON.stringify({ pet: exactFields(value, PET_FIELDS) })
    : exactJson({ [kind]: value });
}

/** Reads one line of an export. Throws `OperatorError` with the reason if it is not valid. */
export function parseRecord(line: string): StoreRecord {
  const [[kind, content] = []] = Object.entries(Object(tryParse(line)));
  const schema = Object.hasOwn(schemas, kind ?? '') ? schemas[kind as RecordKind] : undefined;
  const parsed = schema?.safeParse(content);
  if (parsed?.success) return { kind, value: parsed.data } as StoreRecord;
  const [issue] = parsed?.error.issues ?? [];
  if (issue === undefined) throw new OperatorError('not a valid record');
  const rule = issue.message.replace(/\.$/, '');
  throw new OperatorError(`${[kind, ...issue.path].join('.')}: ${rule}`);
}

/** Reads the pet in a line of NDJSON. Throws `OperatorError` with the reason. */
export function parsePetLine<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(parseLine(text));
  if (parsed.success) return parsed.data;
  throw new OperatorError(problemsOf(parsed.error, 'the line').join('; '));
}

function parseLine(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof JsonSyntaxError ? new OperatorError(`the line ${error.message}`) : error;
  }
}

function tryParse(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
