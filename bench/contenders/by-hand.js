import { readFileSync } from 'node:fs';
import { DAY_MS, ERRORS, keyFrom, openStore } from './pets.js';

/**
 * The least work that a getPet needs: one function finds the key, counts the request and finds the
 * pet, all in Maps that never change.
 */
const PREFIX = '/v1/pets/';
const VARYING = /^x-(request-id|ratelimit-)/;

const { accountOf, find } = await openStore();
const { headers: captured } = JSON.parse(readFileSync(process.env.RESPONSE_FILE, 'utf8'));
const constant = new Headers(Object.entries(captured).filter(([name]) => !VARYING.test(name)));

const accounts = new Map();
const pets = new Map();

function findAccount(authorization) {
  const known = accounts.get(authorization);
  if (known !== undefined) return known;
  const found = accountOf(keyFrom(authorization));
  const account = found && { perDay: found.perDay, used: 0, resetAtMs: 0 };
  if (account !== undefined) accounts.set(authorization, account);
  return account;
}

function findPet(id) {
  if (!pets.has(id)) pets.set(id, JSON.stringify(find(Number(id))));
  return pets.get(id);
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
    const now = Date.now();
    if (now >= account.resetAtMs) {
      account.used = 0;
      account.resetAtMs = Math.ceil((now + 1) / DAY_MS) * DAY_MS;
    }
    if (account.used >= account.perDay) return Response.json(ERRORS.rateLimitDay, { status: 429 });
    account.used++;
    const json = url.startsWith(PREFIX, start) && findPet(url.slice(start + PREFIX.length));
    if (!json) return Response.json(ERRORS.petNotFound, { status: 404 });
    const response = new Response(json, { headers: constant });
    const { headers } = response;
    headers.set('X-Request-Id', Bun.randomUUIDv7());
    headers.set('X-RateLimit-Limit', String(account.perDay));
    headers.set('X-RateLimit-Remaining', String(account.perDay - account.used));
    headers.set('X-RateLimit-Reset', String(account.resetAtMs / 1000));
    return response;
  },
});
