import { z } from 'zod';
import type { Awaitable } from './awaitable.ts';
import type { Once } from './idempotency.ts';
import { INT64_MAX, INT64_MIN } from './int64.ts';

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

/** An animal added to a shop without further word is for sale. */
const DEFAULT_PET_STATUS = 'available';

const MAX_NAME_CODE_POINTS = 255;

/** The white space of Unicode is these separators and some of the control characters. */
const SEPARATORS = ' \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';

/** Means the same with and without the `u` flag, since readers of the document may use either. */
const NAME_PATTERN = new RegExp(`^[${SEPARATORS}]*[^${SEPARATORS}${CONTROLS}][^${CONTROLS}]*$`);

const NAME_RULE =
  `must be a string of 1 to ${MAX_NAME_CODE_POINTS} characters, ` +
  'not only white space, without control characters or unpaired surrogates';
export const INT64_RULE = `must be an integer from ${INT64_MIN} to ${INT64_MAX}`;
export const PET_STATUS_RULE = `must be one of ${PET_STATUSES.join(', ')}`;
const BODY_RULE = 'must be a JSON object with at least name and categoryId';

/** A field has one rule, said whole whatever is wrong with it; only a missing one is told apart. */
function missingOr(rule: string) {
  return (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : rule);
}

function isName(text: string): boolean {
  // A code point takes at most two units: only a long name needs its code points counted.
  const fits =
    text.length <= MAX_NAME_CODE_POINTS ||
    (text.length <= 2 * MAX_NAME_CODE_POINTS && [...text].length <= MAX_NAME_CODE_POINTS);
  return fits && text.isWellFormed() && NAME_PATTERN.test(text);
}

export const petStatusSchema = z
  .enum(PET_STATUSES, { error: PET_STATUS_RULE })
  .meta({ description: 'Whether the animal can be had.' });

export const newPetSchema = z.object(
  {
    name: z
      .string({ error: missingOr(NAME_RULE) })
      .refine(isName, { error: NAME_RULE })
      .meta({
        description: `What the animal is called. It ${NAME_RULE}, and is kept as it is.`,
        minLength: 1,
        maxLength: MAX_NAME_CODE_POINTS,
        pattern: NAME_PATTERN.source,
      }),
    categoryId: z
      .int64({ error: missingOr(INT64_RULE) })
      .meta({ description: 'The category that the animal belongs to.' }),
    status: petStatusSchema.default(DEFAULT_PET_STATUS),
  },
  { error: BODY_RULE },
);

export const petSchema = newPetSchema.extend({
  id: z.int64({ error: missingOr(INT64_RULE) }).meta({
    description: 'The identifier that the service gave the animal. No two have the same.',
  }),
});

export type PetStatus = z.infer<typeof petStatusSchema>;
export type NewPet = z.infer<typeof newPetSchema>;
export type Pet = z.infer<typeof petSchema>;

export interface PetQuery {
  /** Only animals with this status. */
  readonly status?: PetStatus | undefined;
  /** Only animals whose id is greater. */
  readonly after?: bigint | undefined;
  readonly limit: number;
}

export interface CreatedPet {
  readonly pet: Pet;
  /** The animal was made by an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

/** Every method throws `service_unavailable` when the store cannot be reached or written. */
export interface PetStore {
  /** Undefined when no animal has this id. */
  getPet(id: bigint): Awaitable<Pet | undefined>;

  /** In ascending order of id. */
  listPets(query: PetQuery): Awaitable<Pet[]>;

  /**
   * Resolves only after the animal is synced to disk. Given `once`, throws
   * `idempotency_key_reused` when its key was used for another animal.
   */
  createPet(pet: NewPet, once?: Once): Promise<CreatedPet>;
}

/** A page of animals, as JSON. */
export interface PetPage {
  readonly json: string;
  /** The last animal of the page, where others follow it. */
  readonly lastId: bigint | undefined;
}

/** The animals of a store as JSON, which is all that most requests need of them. */
export interface WrittenPets {
  /** Undefined when no animal has this id, or the text is none. */
  getPet(id: string): Awaitable<string | undefined>;
  listPets(query: PetQuery): Awaitable<PetPage>;
  createPet: PetStore['createPet'];
}

/** Writes int64 digit for digit, which `JSON.stringify` cannot. */
export function newPetToJson(pet: NewPet): string {
  return `{${newPetMembers(pet)}}`;
}

export function petToJson(pet: Pet): string {
  return `{"id":${pet.id},${newPetMembers(pet)}}`;
}

/** The same digits either way; where doubles hold them, the runtime writes them three times faster. */
export function petsToJson(pets: readonly Pet[]): string {
  const inDoubles = pets.map(({ id, name, categoryId, status }) => ({
    id: Number(id),
    name,
    categoryId: Number(categoryId),
    status,
  }));
  const areExact = inDoubles.every(
    ({ id, categoryId }) => Number.isSafeInteger(id) && Number.isSafeInteger(categoryId),
  );
  return areExact ? JSON.stringify(inDoubles) : `[${pets.map(petToJson).join(',')}]`;
}

function newPetMembers(pet: NewPet): string {
  return `"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId},"status":"${pet.status}"`;
}
