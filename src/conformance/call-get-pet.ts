import { NotCheckable } from './check-error.ts';
import { getPetRequest } from './requests.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

export const REMOVAL_MS = Date.UTC(2030, 11, 5);

/** Calls getPet, if the service has it now. */
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
export function requireNotRemoved(session: Session): void {
  if (session.timeMs() >= REMOVAL_MS)
    throw new NotCheckable('getPet was removed on 5 December 2030.');
}
