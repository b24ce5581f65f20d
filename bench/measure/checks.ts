import type { PlannedRequest } from './request.ts';
import type { Server } from './server.ts';

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

type Sender = Pick<Server, 'contender' | 'send'>;

/** Throws when a server and Animal Store send different responses. Error bodies may differ. */
export async function check(other: Sender, ours: Sender, request: PlannedRequest) {
  const expected = await ours.send(request);
  const got = await other.send(request);
  const [right, wrong] = [await expected.text(), await got.text()];
  const isRight = () => isSame(got.status, wrong, right) && hasLimits(other, got);
  if (got.status === expected.status && (!got.ok || isRight())) return;
  const operation = `${request.method} ${request.path}`;
  throw new Error(`${operation}: expected ${expected.status} ${right}, got ${got.status} ${wrong}`);
}

/** Leaves out the ids of new pets, which may differ. */
function isSame(status: number, text: string, expectedText: string): boolean {
  const [body, expectedBody] = [JSON.parse(text), JSON.parse(expectedText)];
  if (status === 201) body.id = expectedBody.id;
  return Bun.deepEquals(body, expectedBody);
}

/** Leaves out the headers of a server with another API, which differ. */
function hasLimits({ contender }: Sender, { headers }: Response): boolean {
  const isNumber = (name: string) => /^\d+$/.test(headers.get(name) ?? '');
  return contender.dialect !== undefined || LIMIT_HEADERS.every(isNumber);
}
