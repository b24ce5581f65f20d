import { NotCheckable, needed } from './check-error.ts';
import { isObject, type Json } from './exact-json.ts';
import { idOf, type KnownPet } from './pet.ts';
import { createPetRequest, NAME } from './requests.ts';
import { isSuccess, type RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

export const INT64_MAX = 2n ** 63n - 1n;
export const INT64_MIN = -(2n ** 63n);
export const CHOSEN_ID = 1_234_567_890_123_456_789n;

/** Fields of the pets that a run adds and finds again. Each also gets a name and a category. */
const SAMPLES = {
  plain: {},
  available: { status: 'available' },
  pending: { status: 'pending' },
  sold: { status: 'sold' },
  'also pending': { status: 'pending' },
  'largest int64': { categoryId: INT64_MAX },
  'smallest int64': { categoryId: INT64_MIN },
  // The smallest integer that a double cannot hold.
  'above 2^53': { categoryId: 2n ** 53n + 1n },
  'Zoë 🐈': {},
  'with an id': { id: CHOSEN_ID },
} as const;

type SampleLabel = keyof typeof SAMPLES;

export const INT64_SAMPLES = ['largest int64', 'smallest int64', 'above 2^53'] as const;
export const UNICODE_SAMPLE = 'Zoë 🐈';

const LABELS = Object.keys(SAMPLES) as SampleLabel[];

/** A pet of this run, with the response of createPet. */
export interface Sample extends KnownPet {
  readonly created: RoundTrip;
}

/** The first sample that createPet accepts. If it accepts none, the plain one. */
export async function firstSample(session: Session): Promise<Sample> {
  const plain = await post(session, 'plain');
  if (isSuccess(plain.created)) return plain;
  const available = await post(session, 'available');
  return isSuccess(available.created) ? available : plain;
}

/** The same, for a check that is not about createPet. */
export async function addSample(session: Session): Promise<Sample> {
  const sample = await needed('createPet.created', () => firstSample(session));
  if (isSuccess(sample.created)) return sample;
  throw new NotCheckable('createPet accepts not even a plain pet: see createPet.created.');
}

/** Fields with which createPet accepts a pet, in addition to the required ones. */
export async function acceptedFields(session: Session): Promise<object> {
  const { created } = await addSample(session);
  return created.request.body?.includes('"status"') ? SAMPLES.available : SAMPLES.plain;
}

/** Sends a sample to a createPet that accepts others. The service may refuse this one. */
export async function sendSample(session: Session, label: SampleLabel): Promise<Sample> {
  const fields = await acceptedFields(session);
  return post(session, label, label === 'plain' ? {} : fields);
}

/** All samples that the service accepts, or some of them. */
export async function addSamples(
  session: Session,
  labels: readonly SampleLabel[] = LABELS,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (const label of labels) {
    samples.push(await needed('createPet.created', () => sendSample(session, label)));
  }
  return samples.filter(({ created }) => isSuccess(created));
}

function post(session: Session, label: SampleLabel, more: object = {}): Promise<Sample> {
  return session.cached(`sample ${label}`, async () => {
    const sent: Record<string, Json> = {
      name: `${NAME} ${label} ${new Date(session.startedAtMs).toISOString()}`,
      categoryId: BigInt(LABELS.indexOf(label) + 1),
      ...more,
      ...SAMPLES[label],
    };
    const created = await session.sendCached(createPetRequest(sent));
    const { json } = created.response;
    const { id: _, ...fields }: Record<string, Json> = { ...(isObject(json) && json), ...sent };
    return { id: idOf(json), fields, created };
  });
}
