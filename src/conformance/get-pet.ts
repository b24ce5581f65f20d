import { addedAnimal, idOf, retrieval } from './animals.ts';
import type { Section } from './check.ts';
import { isObject } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import { describe, expectRefusal, expectStatus } from './expectations.ts';
import { requireListed } from './pages.ts';
import type { Session } from './session.ts';
import { Failed, NotCheckable } from './verdict.ts';

export const REMOVAL_MS = Date.UTC(2030, 11, 5);
const INT64_MAX = 2n ** 63n - 1n;
const FIELDS = ['id', 'name', 'categoryId', 'status'];

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
        for (const field of FIELDS) {
          const [was, is] = [added, found].map(({ answer: { json } }) =>
            isObject(json) ? json[field] : undefined,
          );
          if (is !== was) throw new Failed(`${field}: ${describe(was)}`, describe(is), found);
        }
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
      sentence: 'An animal is also found in the list of its status',
      async check(session) {
        const added = await addedAnimal(session, { status: 'pending' });
        await requireListed(session, '?status=pending&limit=100', idOf(added));
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
