import { REMOVAL_MS, requireNoRehearsal, requireNotRemoved } from './call-get-pet.ts';
import { requireClocks } from './check.ts';
import { NotCheckable } from './check-error.ts';
import { requirePet } from './read-back.ts';
import { getPetRequest, listPetsRequest } from './requests.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';
import { DAY_MS } from './test-clocks.ts';

interface RemovalDay {
  /** getPet a day before its removal. The contract names no time zone, and this is before all of them. */
  readonly before: RoundTrip;
  readonly after: RoundTrip;
}

/** Calls getPet around its removal, once per run. The account is back in its day afterwards. */
export function removalDay(session: Session): Promise<RemovalDay> {
  return session.cached('the removal of getPet', async () => {
    requireNotRemoved(session);
    requireClocks(session, 'That day is in the future.');
    const getPet = getPetRequest((await requirePet(session)).id);
    session.moveClock('key', REMOVAL_MS - DAY_MS);
    const before = await session.sendUnrecorded(getPet);
    session.moveClock('key', REMOVAL_MS);
    const after = await session.sendUnrecorded(getPet);
    const { response } = await session.sendUnrecorded(listPetsRequest('?limit=1'));
    await session.startClocks('key');
    if (response.status !== 401) return { before: requireNoRehearsal(before), after };
    throw new NotCheckable('The key expires before that day.');
  });
}
