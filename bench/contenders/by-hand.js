import { countRequest, ERRORS, keyFrom } from './pets.js';
import { openStore } from './store.js';

/**
 * The least work that a getPet needs: one function finds the key, counts the request and finds the
 * pet, all in Maps that never change.
 */
const PREFIX = '/v1/pets/';
const VARYING = /^(x-request-id|x-ratelimit-.*|ratelimit)$/;

const store = await openStore();
const captured = Object.entries(JSON.parse(process.env.RESPONSE).headers);
const constant = new Headers(captured.filter(([name]) => !VARYING.test(name)));
const findAccount = cached((authorization) => store.accountOf(keyFrom(authorization)));
const findPet = cached((id) => JSON.stringify(store.find(Number(id))));

function cached(find) {
  const values = new Map();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    values.set(key, find(key));
    return values.get(key);
  };
}

/** One counter stands for both windows. `RateLimit-Policy` is constant. */
function bothWindows({ perDay, used, resetAtMs }) {
  const seconds = Math.ceil((resetAtMs - Date.now()) / 1000);
  return `"minute";r=${perDay - used};t=${seconds % 60}, "day";r=${perDay - used};t=${seconds}`;
}

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  development: false,
  fetch(request) {
    const { url } = request;
    const start = url.indexOf('/', 'http://'.length);
    const account = findAccount(request.headers.get('authorization'));
    if (account === undefined) return Response.json(ERRORS.invalidApiKey, { status: 401 });
    const { isAllowed, limits } = countRequest(account);
    if (!isAllowed) return Response.json(ERRORS.rateLimitDay, { status: 429 });
    const json = url.startsWith(PREFIX, start) && findPet(url.slice(start + PREFIX.length));
    if (!json) return Response.json(ERRORS.petNotFound, { status: 404 });
    const response = new Response(json, { headers: constant });
    response.headers.set('X-Request-Id', Bun.randomUUIDv7());
    for (const [name, value] of limits) response.headers.set(name, value);
    response.headers.set('RateLimit', bothWindows(account));
    return response;
  },
});
