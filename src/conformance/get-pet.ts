import { addedAnimal, idOf, retrieval } from './animals.ts';
import type { Section } from './check.ts';
import type { Exchange } from './exchange.ts';
import { expectAsAdded, expectRefusal, expectStatus } from './expectations.ts';
import { expectListed } from './pages.ts';
import type { Session } from './session.ts';
import { NotCheckable } from './verdict.ts';

export const REMOVAL_MS = Date.UTC(2030, 11, 5);
const INT64_MAX = 2n ** 63n - 1n;

export const GET_PET: Section = {
  title: 'getPet: GET /pets/{petId}',
  checks: [
    {
      id: 'getPet.found',
      sentence: 'An animal is found by its id, as it was added: 200',
      async check(session) {
        const added = await addedAnimal(session);
        const found = await retrieved(session, idOf(added));
        expectStatus(found, 200);
        expectAsAdded({ added, pet: found.answer.json, shownBy: found });
      },
    },
    {
      id: 'getPet.notFound',
      sentence: 'An id that no animal has is answered 404, up to the last int64',
      async check(session) {
        expectStatus(await retrieved(session, INT64_MAX), 404);
      },
    },
    {
      id: 'getPet.petId.integer',
      sentence: 'An id that is no integer is refused',
      async check(session) {
        expectRefusal(await retrieved(session, 'conformance'));
      },
    },
    {
      id: 'getPet.replacement',
      sentence: 'An animal is also found in the list of its status, as it was added',
      async check(session) {
        const added = await addedAnimal(session, { status: 'pending' });
        await expectListed(session, '&status=pending', [added]);
      },
    },
    {
      id: 'getPet.removed',
      sentence: 'From 5 December 2030 on, the operation is gone',
      async check(session) {
        if (session.nowMs < REMOVAL_MS) throw new NotCheckable('That day is still to come.');
        expectRefusal(await session.askOnce(retrieval(idOf(await addedAnimal(session)))));
      },
    },
  ],
};

/** Asks for an animal by its id. */
export async function retrieved(session: Session, id: bigint | string): Promise<Exchange> {
  requireGetPet(session);
  return session.askOnce(retrieval(id));
}

/** Nobody is to be blamed for the lack of an operation that has had its day. */
export function requireGetPet({ nowMs }: Session): void {
  if (nowMs >= REMOVAL_MS) throw new NotCheckable('The operation was removed on 5 December 2030.');
}
