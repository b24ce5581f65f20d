import { requireNoRehearsal, requireNotRemoved } from './call-get-pet.ts';
import { type Check, check } from './check.ts';
import { attempt, CheckFailed, NotCheckable } from './check-error.ts';
import { expectStatus } from './expectations.ts';
import { requirePet } from './read-back.ts';
import { createPetRequest, getPetRequest, listPetsRequest } from './requests.ts';
import type { ApiRequest, Credential, RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

interface Operation {
  readonly name: string;
  readonly makeRequest: (session: Session) => Promise<ApiRequest>;
  readonly includes: (request: ApiRequest) => boolean;
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'listPets',
    makeRequest: async () => listPetsRequest(),
    includes: ({ method, path }) => method === 'GET' && !path.startsWith('/pets/'),
  },
  {
    name: 'createPet',
    makeRequest: async () => createPetRequest(),
    includes: ({ method }) => method === 'POST',
  },
  {
    name: 'getPet',
    makeRequest: async (session) => {
      requireNotRemoved(session);
      return getPetRequest((await attempt(() => requirePet(session)))?.id ?? '1');
    },
    includes: ({ path }) => path.startsWith('/pets/'),
  },
];

export const AUTHENTICATION = [
  ...OPERATIONS.map((operation) =>
    check(
      `authentication.accepted.${operation.name}`,
      `${operation.name} accepts an API key as a bearer token`,
      (session) => expectAccepted(session, operation),
    ),
  ),
  ...forEachOperation('missing', 'without a key returns 401', 'none'),
  ...forEachOperation('invalid', 'with an invalid key returns 401', 'wrong'),
  check('authentication.scheme', 'A key that is not a bearer token returns 401', async (session) =>
    expectStatus(await session.sendCached({ ...listPetsRequest(), credential: 'bare' }), 401),
  ),
];

function forEachOperation(name: string, claim: string, credential: Credential): Check[] {
  return OPERATIONS.map((operation) =>
    check(
      `authentication.${name}.${operation.name}`,
      `${operation.name} ${claim}`,
      async (session) => {
        const request = { ...(await operation.makeRequest(session)), credential };
        expectStatus(requireNoRehearsal(await session.sendCached(request)), 401);
      },
    ),
  );
}

/** Every response with a valid key counts, errors too: only 401 and 403 are about the key. */
async function expectAccepted(session: Session, operation: Operation): Promise<void> {
  const request = await operation.makeRequest(session);
  requireNoRehearsal(await session.sendCached(request));
  const responses = session.roundTrips.filter(
    ({ request: sent }) => (sent.credential ?? 'key') === 'key' && operation.includes(sent),
  );
  const refused = responses.find(({ response: { status } }) => status === 401 || status === 403);
  if (refused !== undefined) {
    throw new CheckFailed('not 401 or 403', `${refused.response.status}`, refused);
  }
  if (responses.some(showsThatKeyIsValid)) return;
  throw new NotCheckable('Every response is a redirect or an error of the service.');
}

function showsThatKeyIsValid({ response: { status } }: RoundTrip): boolean {
  return status < 300 || (status >= 400 && status < 500 && status !== 429);
}
