import { getPet } from './call-get-pet.ts';
import { attempt, NotCheckable } from './check-error.ts';
import { isObject } from './exact-json.ts';
import { expectFields } from './expectations.ts';
import { firstPage, requirePets } from './lists.ts';
import { fieldOf, idOf, type KnownPet, type Shown } from './pet.ts';
import { isSuccess } from './round-trip.ts';
import { addSamples, type Sample } from './samples.ts';
import { findSamples } from './search.ts';
import type { Session } from './session.ts';

/** Expects every response that shows a sample to show the field that was sent. */
export async function expectKept(session: Session, sample: Sample, field: string): Promise<void> {
  expectFields(await requireShown(session, sample), sample, [field]);
  const later = [await inGetPet(session, sample), await inList(session, sample)];
  for (const shown of later) {
    if (shown !== undefined && isSame(sample, shown, field)) expectFields(shown, sample, [field]);
  }
}

/** The response of createPet, or the list if that response has no pet. */
export async function requireShown(session: Session, sample: Sample): Promise<Shown> {
  const { created } = sample;
  if (isObject(created.response.json)) return { pet: created.response.json, shownBy: created };
  const listed = await inList(session, sample);
  if (listed !== undefined) return listed;
  throw new NotCheckable('This check needs a response that shows the pet: see createPet.pet.');
}

/** A pet with an id: one of this run, or else one that the store had. */
export async function requirePet(
  session: Session,
  isSuitable: (pet: KnownPet) => boolean = () => true,
): Promise<KnownPet & { readonly id: bigint | string }> {
  for (const pet of await knownPets(session)) {
    const { id, fields } = pet;
    if (id !== undefined && isSuitable(pet)) return { id, fields };
  }
  throw new NotCheckable('This check needs a pet with an id: see createPet.pet.');
}

async function knownPets(session: Session): Promise<readonly KnownPet[]> {
  const samples = await attempt(() => addSamples(session));
  if (samples === undefined) {
    const pets = requirePets(await firstPage(session)).filter(isObject);
    return pets.map((fields) => ({ id: idOf(fields), fields }));
  }
  const known: KnownPet[] = [];
  for (const sample of samples) {
    const { id, fields } = sample;
    known.push({ id: id ?? idOf((await inList(session, sample))?.pet), fields });
  }
  return known;
}

async function inList(session: Session, sample: Sample): Promise<Shown | undefined> {
  return (await attempt(() => findSamples(session)))?.found.get(sample);
}

async function inGetPet(session: Session, { id }: KnownPet): Promise<Shown | undefined> {
  const shownBy = id === undefined ? undefined : await attempt(() => getPet(session, id));
  if (shownBy === undefined || !isSuccess(shownBy)) return undefined;
  return { pet: shownBy.response.json, shownBy };
}

/** A response that shows another pet is a matter of other checks. */
function isSame({ id, fields }: KnownPet, { pet }: Shown, except: string): boolean {
  const expected: KnownPet['fields'] = { ...fields, ...(id !== undefined && { id }) };
  return ['id', 'name', 'categoryId']
    .filter((field) => field !== except && field in expected)
    .every((field) => fieldOf(pet, field) === expected[field]);
}
