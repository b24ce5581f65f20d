import { check } from './check.ts';
import { NotCheckable } from './check-error.ts';
import { expectAsAdded, expectClientError, expectStatus } from './expectations.ts';
import { expectListed } from './pages.ts';
import { addPet, getPetRequest, requireId } from './pets.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

export const REMOVAL_MS = Date.UTC(2030, 11, 5);
const INT64_MAX = 2n ** 63n - 1n;

export const GET_PET = [
  check('getPet.found', 'getPet returns 200 and the pet, unchanged', async (session) => {
    const added = await addPet(session);
    const found = await getPet(session, requireId(added));
    expectStatus(found, 200);
    expectAsAdded({ added, pet: found.response.json, shownBy: found });
  }),
  check(
    'getPet.notFound',
    'An unknown id returns 404, up to the largest int64',
    async (session) => {
      expectStatus(await getPet(session, INT64_MAX), 404);
    },
  ),
  check('getPet.petId.integer', 'An id that is not an integer is rejected', async (session) => {
    expectClientError(await getPet(session, 'conformance'));
  }),
  check(
    'getPet.replacement',
    'listPets with the status filter also returns the pet, unchanged',
    async (session) => {
      const added = await addPet(session, { status: 'pending' });
      await expectListed(session, '&status=pending', [added]);
    },
  ),
  check('getPet.removed', 'getPet is gone from 5 December 2030', async (session) => {
    if (session.nowMs < REMOVAL_MS) throw new NotCheckable('That day is in the future.');
    const request = getPetRequest(requireId(await addPet(session)));
    expectClientError(await session.sendCached(request));
  }),
];

export async function getPet(session: Session, id: bigint | string): Promise<RoundTrip> {
  requireNotRemoved(session);
  return requireNoRehearsal(await session.sendCached(getPetRequest(id)));
}

/** A service may rehearse the removal: 410 with the time until getPet works again. */
export function requireNoRehearsal(roundTrip: RoundTrip): RoundTrip {
  const { status, headers } = roundTrip.response;
  const seconds = headers.get('retry-after');
  if (status !== 410 || seconds === null) return roundTrip;
  throw new NotCheckable(`The service rehearses the removal of getPet (Retry-After: ${seconds}).`);
}

/** After its removal date, a missing getPet is not a failure. */
export function requireNotRemoved({ nowMs }: Session): void {
  if (nowMs >= REMOVAL_MS) throw new NotCheckable('getPet was removed on 5 December 2030.');
}
