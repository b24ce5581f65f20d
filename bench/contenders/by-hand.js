import { readFileSync } from 'node:fs';
import { DAY_MS, ERRORS, openAnimals, secretOf } from './animals.js';

/**
 * The least that a service of this kind can do for a getPet: one function that looks the key up, counts
 * the request and finds the animal, each in memory, where nothing is ever forgotten or changes. What
 * it adds to the ceiling is the price of reading a request and of headers that differ.
 */
const PREFIX = '/v1/pets/';
const OWN = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

const { accountOf, getPet } = await openAnimals(process.env.DATABASE_FILE);
const { headers: captured } = JSON.parse(readFileSync(process.env.ANSWER_FILE, 'utf8'));
const ready = new Headers(Object.entries(captured).filter(([name]) => !OWN.includes(name)));

const findAccount = remembering((authorization) => {
  const found = accountOf(secretOf(authorization));
  return found && { perDay: found.perDay, used: 0, resetAtMs: 0 };
});
const findAnimal = remembering((id) => {
  const pet = getPet(Number(id));
  return pet && JSON.stringify(pet);
});

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env.PORT),
  development: false,
  fetch(request) {
    const { url } = request;
    const start = url.indexOf('/', 'http://'.length);
    const account = findAccount(request.headers.get('authorization'));
    if (account === undefined) return Response.json(ERRORS.invalidApiKey, { status: 401 });
    const now = Date.now();
    if (now >= account.resetAtMs) {
      account.used = 0;
      account.resetAtMs = Math.ceil((now + 1) / DAY_MS) * DAY_MS;
    }
    if (account.used >= account.perDay) return Response.json(ERRORS.rateLimitDay, { status: 429 });
    account.used++;
    const json = url.startsWith(PREFIX, start) && findAnimal(url.slice(start + PREFIX.length));
    if (!json) return Response.json(ERRORS.petNotFound, { status: 404 });
    const response = new Response(json, { headers: ready });
    const { headers } = response;
    headers.set('X-Request-Id', Bun.randomUUIDv7());
    headers.set('X-RateLimit-Limit', String(account.perDay));
    headers.set('X-RateLimit-Remaining', String(account.perDay - account.used));
    headers.set('X-RateLimit-Reset', String(account.resetAtMs / 1000));
    return response;
  },
});

function remembering(find) {
  const known = new Map();
  return (key) => {
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const found = find(key);
    if (found !== undefined) known.set(key, found);
    return found;
  };
}
