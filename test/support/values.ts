import fc from 'fast-check';
import { type ApiKey, type KnownKey, type KnownKeyRow, toKnownKey } from '#domain/api-key.ts';
import { noRequests, type UsagePeriod } from '#domain/operator/history.ts';
import { type NewPet, newPetSchema, PET_STATUSES, type Pet } from '#domain/pet.ts';
import { INT64_MAX, INT64_MIN } from '#formats/int64.ts';

const anyInt64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });

/** Any character. `unit: 'binary'` of fast-check draws from the same ones, but needs most of a second to begin. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));

/** Values of each field, to draw from. */
const VALUES: { readonly [Field in keyof NewPet]-?: fc.Arbitrary<NewPet[Field]> } = {
  name: fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 255 })
    .filter((name) => newPetSchema.shape.name.safeParse(name).success),
  categoryId: anyInt64,
  status: fc.constantFrom(...PET_STATUSES),
};

const PET_VALUES = { id: anyInt64, ...VALUES };

export const anyPet: fc.Arbitrary<Pet> = fc.record(PET_VALUES);

/** A copy of a pet that differs in one field only, to see where that field is shown. */
export function withAnother<T extends NewPet>(pet: T, field: keyof T & keyof Pet): T {
  const values: fc.Arbitrary<unknown> = PET_VALUES[field];
  const [another] = fc.sample(
    values.filter((value) => value !== pet[field]),
    1,
  );
  return { ...pet, [field]: another };
}

/** The words of the name of a field, as a page shows them: "Category id". */
export function titleOf(field: keyof Pet): string {
  const words = field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0]?.toUpperCase() + words.slice(1);
}

/** Pets with any values in every field. */
export function newPets(count: number): NewPet[] {
  const drawn = fc.sample(fc.record(VALUES), Math.min(count, 200));
  return Array.from({ length: count }, (_, index) => drawn[index % drawn.length] as NewPet);
}

/** An active key, with the changes of a test. */
export function anApiKey(changes: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 1,
    accountId: 1,
    lastFour: 'AAAA',
    label: '',
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
    unbannedAtMs: 0,
    successorId: null,
    scope: 'all',
    ...changes,
  };
}

export function aKnownKey(changes: Partial<KnownKeyRow> = {}): KnownKey {
  return toKnownKey({
    ...anApiKey(),
    accountName: 'x',
    accountSuspendedAtMs: null,
    plan: 'free',
    perMinute: null,
    perDay: null,
    clockSetToMs: 0,
    clockOffsetMs: 0,
    resets: 0,
    ...changes,
  });
}

/** An hour of use without requests, with the changes of a test. */
export function anHour(changes: Partial<UsagePeriod> = {}): UsagePeriod {
  const startsAtMs = changes.startsAtMs ?? Date.UTC(2026, 10, 15, 12);
  return {
    accountId: 1,
    startsAtMs,
    keyId: 1,
    operation: 'getPet',
    ...noRequests(),
    busiestMinute: 0,
    lastAtMs: startsAtMs,
    ...changes,
  };
}
