import { type PlannedRequest, send } from './request.ts';

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Throws when a server and Animal Store send different responses. Error bodies may differ. */
export async function check(url: string, animalStoreUrl: string, request: PlannedRequest) {
  const expected = await send(animalStoreUrl, request);
  const got = await send(url, request);
  const [right, wrong] = [await expected.text(), await got.text()];
  if (got.status === expected.status && (!got.ok || isSame(got, wrong, right))) return;
  const operation = `${request.method} ${request.path}`;
  throw new Error(`${operation}: expected ${expected.status} ${right}, got ${got.status} ${wrong}`);
}

/** The ids of new pets may differ. */
function isSame({ status, headers }: Response, text: string, expectedText: string): boolean {
  const [body, expectedBody] = [JSON.parse(text), JSON.parse(expectedText)];
  if (status === 201) body.id = expectedBody.id;
  const hasLimits = LIMIT_HEADERS.every((name) => /^\d+$/.test(headers.get(name) ?? ''));
  return hasLimits && Bun.deepEquals(body, expectedBody);
}
