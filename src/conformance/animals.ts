import { isInt64, isObject, type Json } from './exact-json.ts';
import type { Exchange, Request } from './exchange.ts';
import { wholeNumber } from './headers.ts';
import type { Session } from './session.ts';
import { NotCheckable } from './verdict.ts';

/** Animals stay, as no operation removes one: their names say where they come from. */
export const NAME = 'conformance-check';

/** So many animals are added whatever the key; more only when it has requests to spare. */
const FEW = 25;
const SPARE_REQUESTS = 50;

const NO_ANIMAL = 'It needs an animal, and none could be added: see createPet.created.';

/** A valid request for a new animal, but for what a check changes. */
export function creation(changes: object = {}): Request {
  return creationOf(JSON.stringify({ name: NAME, categoryId: 1, ...changes }));
}

/** A creation with this very text for a body. */
export function creationOf(body: string): Request {
  return { method: 'POST', path: '/pets', body };
}

export function retrieval(id: bigint | string): Request {
  return { method: 'GET', path: `/pets/${id}` };
}

export function listing(query = ''): Request {
  return { method: 'GET', path: `/pets${query}` };
}

/** An animal that was added for checks that look at something else than its creation. */
export async function addedAnimal(session: Session, changes: object = {}): Promise<Exchange> {
  const added = await session.askOnce(creation(changes));
  if (added.answer.status === 201 && isObject(added.answer.json)) return added;
  throw new NotCheckable(NO_ANIMAL);
}

export function idOf({ answer }: Exchange): bigint {
  const id = idIn(answer.json ?? null);
  if (isInt64(id)) return id;
  throw new NotCheckable('It needs the id of an animal, and got none: see resources.pet.id.');
}

export function idIn(pet: Json): Json | undefined {
  return isObject(pet) ? pet['id'] : undefined;
}

/** The animals of a list, for checks that look at something else than the list's shape. */
export function animalsOf({ answer }: Exchange): readonly Json[] {
  if (answer.status === 200 && Array.isArray(answer.json)) return answer.json;
  throw new NotCheckable('It needs a list, and got none: see listPets.listed and listPets.array.');
}

/** Makes sure that the deployment has so many animals, and adds as few as that takes. */
export async function requireStock(session: Session, count: number): Promise<void> {
  const { answer } = await session.ask(listing('?limit=100'));
  const missing = count - (Array.isArray(answer.json) ? answer.json.length : 0);
  const remaining = wholeNumber(answer, 'x-ratelimit-remaining') ?? 0;
  if (missing > FEW && missing + SPARE_REQUESTS > remaining) {
    throw new NotCheckable(
      `It takes ${missing} more animals, and the key has ${remaining} requests left for now.`,
    );
  }
  for (let i = 0; i < missing; i++) {
    const added = await session.ask(creation());
    if (added.answer.status !== 201) throw new NotCheckable(NO_ANIMAL);
  }
}

/** All animals that this run has added. */
export function creations({ exchanges }: Session): readonly Exchange[] {
  return exchanges.filter(
    ({ request, answer }) => request.method === 'POST' && answer.status === 201,
  );
}
