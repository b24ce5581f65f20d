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
const accounts = new Map();
const animals = new Map();

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

function findAccount(authorization) {
  const known = accounts.get(authorization);
  if (known !== undefined) return known;
  const found = accountOf(secretOf(authorization));
  if (found === undefined) return undefined;
  const account = { perDay: found.perDay, used: 0, resetAtMs: 0 };
  accounts.set(authorization, account);
  return account;
}

function findAnimal(id) {
  const known = animals.get(id);
  if (known !== undefined) return known;
  const pet = getPet(Number(id));
  if (pet === undefined) return undefined;
  const json = JSON.stringify(pet);
  animals.set(id, json);
  return json;
}
