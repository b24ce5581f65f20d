import { SMALL } from './fixture.ts';
import { type Received, send } from './send.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Throws when a server and Animal Store differ on the first request of a workload. */
export async function check(
  url: string,
  animalStoreUrl: string,
  workloads: readonly WorkloadName[],
): Promise<void> {
  for (const name of workloads) {
    const [request] = WORKLOADS[name].requests(SMALL);
    if (request === undefined) throw new Error(`${name} has no requests`);
    const expected = await send(animalStoreUrl, request);
    const got = await send(url, request);
    if (isSame(got, expected)) continue;
    const [right, wrong] = [expected, got].map(({ status, text }) => `${status} ${text}`);
    throw new Error(`${name}: expected ${right}, got ${wrong}`);
  }
}

/** Error bodies may differ, and the ids of new pets. */
function isSame(got: Received, expected: Received): boolean {
  if (got.status !== expected.status || got.status >= 400) return got.status === expected.status;
  const [body, expectedBody] = [JSON.parse(got.text), JSON.parse(expected.text)];
  if (got.status === 201) body.id = expectedBody.id;
  const hasLimits = LIMIT_HEADERS.every((name) => /^\d+$/.test(got.headers.get(name) ?? ''));
  return hasLimits && Bun.deepEquals(body, expectedBody);
}
