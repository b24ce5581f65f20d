import { join } from 'node:path';
import { OPERATIONS } from '../src/contract/operations.ts';
import { hasValidChecksum } from '../src/domain/api-key.ts';
import { type Awaitable, whenReady } from '../src/domain/awaitable.ts';
import { int64FromJsonNumber, parseInt64 } from '../src/domain/int64.ts';
import { parseJson } from '../src/domain/json.ts';
import { newPetSchema, petsToJson, petToJson } from '../src/domain/pet.ts';
import { authenticate } from '../src/http/authenticate.ts';
import { CORS_HEADERS } from '../src/http/cors.ts';
import { readQuery } from '../src/http/query.ts';
import { ResponseWriter } from '../src/http/response.ts';
import { matchRoute, splitUrl } from '../src/http/router.ts';
import { MemoryLimiter, NO_JOURNAL } from '../src/memory/limiter.ts';
import { RememberedPets } from '../src/memory/remembered-pets.ts';
import { Metrics } from '../src/operator/metrics.ts';
import { platform } from '../src/platform.ts';
import { openDatabase } from '../src/sqlite/database.ts';
import { startOf } from '../src/sqlite/known-keys.ts';
import { openSqliteStore } from '../src/sqlite/store.ts';
import { openSqliteTransfer } from '../src/sqlite/transfer.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { fill, petOf, SMALL, secretOf } from './harness/fixture.ts';
import { installPeers } from './harness/install-peers.ts';

/** The pieces that every request passes, each by itself. */

installPeers();
const { bench, group, run } = await import('mitata');

using folder = temporaryFolder();
const file = join(folder.path, 'store.db');
{
  await using transfer = openSqliteTransfer(file);
  await fill(transfer, SMALL);
}
await using store = await openSqliteStore(file);
const pets = new RememberedPets(store.pets, store.revision);
const { now, sha256 } = platform;
await using limiter = new MemoryLimiter({ now, journal: NO_JOURNAL, onSaveFailed() {} });

const secret = secretOf(1);
const authorization = `Bearer ${secret}`;
const unlimited = { perMinute: 1_000_000_000, perDay: 1_000_000_000 };
const admitted = { subject: 'account:1', limits: unlimited, key: { id: 1, unbannedAtMs: 0 } };
const refused = { subject: 'account:2', limits: { perMinute: 1, perDay: 1 } };
const largest = '9223372036854775807';
const pet = { ...petOf(1), categoryId: BigInt(largest) };
const body = '{"name":"Rex","categoryId":9223372036854775807,"status":"available"}';
const newPet = parseJson(body);
const page = Array.from({ length: 100 }, (_, index) => petOf(index + 1));
const pageOf20 = page.slice(0, 20);

const url = `http://127.0.0.1:8080/v1/pets/1`;
const request = new Request(url, { headers: { Authorization: authorization } });
const responses = new ResponseWriter('http://127.0.0.1:8080');
const reply = { status: 200, body: petToJson(petOf(1)) };
const unread = {
  recallKey: () => undefined,
  findKey: (hash: Uint8Array) => store.accounts.findKey(hash),
};
const metrics = new Metrics();
const decision = limiter.take(admitted);
const makeAnswer = () => responses.write(reply, '1', 'getPet', decision);

group('one getPet, step by step', () => {
  bench('name the request', () => platform.newRequestId());
  bench('read its key', () => request.headers.get('authorization'));
  bench('find the operation', () => matchRoute('GET', splitUrl(url).path));
  bench('check the key, remembered', () => authenticate(authorization, store.keys, sha256, now()));
  bench('count it', () => limiter.take(admitted));
  bench('find the animal, remembered', () => pets.getPet('1'));
  bench('make the answer', makeAnswer);
  bench('note it for the metrics', () => metrics.record('getPet', 200, decision, 0.0001));
});

group('key check', () => {
  bench('checksum', () => hasValidChecksum(secret));
  bench('SHA-256', () => sha256(secret));
  bench('all, remembered', () => authenticate(authorization, store.keys, sha256, now()));
  bench('all, from the file', () => authenticate(authorization, unread, sha256, now()));
});

group('limiter', () => {
  bench('admits', () => limiter.take(admitted));
  bench('refuses', () => limiter.take(refused));
});

group('int64', () => {
  bench('parse from a path', () => parseInt64(largest));
  bench('parse from JSON', () => int64FromJsonNumber(largest));
  bench('write', () => petToJson(pet));
});

group('body of createPet', () => {
  bench('parse', () => parseJson(body));
  bench('check', () => newPetSchema.safeParse(newPet));
});

group('page', () => {
  bench('read the query', () => readQuery('limit=20&after=1', OPERATIONS.listPets.query));
  bench('find 20, remembered', () => pets.listPets({ limit: 20 }));
  bench('read 20 from SQLite', () => store.pets.listPets({ limit: 20 }));
  bench('read 100 from SQLite', () => store.pets.listPets({ limit: 100 }));
  bench('render 20', () => petsToJson(pageOf20));
  bench('render 100', () => petsToJson(page));
});

/** Pairs: what the service does, and what it would do without the trick. */
async function awaited(depth: number): Promise<number> {
  return depth === 0 ? 1 : await awaited(depth - 1);
}
function atOnce(depth: number): Awaitable<number> {
  return depth === 0 ? 1 : whenReady(atOnce(depth - 1), (value) => value);
}
const large = page.map((animal) => ({ ...animal, id: animal.id + 2n ** 53n }));
const patterns = [/^\/v1\/pets$/, /^\/v1\/pets\/([^/]+)$/];
function matchPatterns(path: string) {
  for (const pattern of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return { operation: 'getPet', parameter: match[1] ?? '', allow: [] };
  }
  return undefined;
}
const everyHeader = {
  ...{ 'X-Request-Id': '1', 'Content-Type': 'application/json', ...CORS_HEADERS },
  ...{ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1' },
  ...{ Deprecation: '@1', Sunset: '1', Link: '<x>; rel="successor-version"' },
};
const hash = sha256(secret);
const byText = new Map([[hash.toHex(), 1]]);
const byNumber = new Map([[startOf(hash), 1]]);
const order = {
  jobs: Array.from({ length: 64 }, () => ({ kind: 'createPet', pet: { ...petOf(1), id: 1 } })),
};
const textOrder = {
  jobs: order.jobs.map((job) => ({ ...job, pet: { ...job.pet, categoryId: '1' } })),
};

const scratch = openDatabase(join(folder.path, 'scratch.db'), { safeIntegers: true });
scratch.run('PRAGMA synchronous = OFF');
scratch.run('BEGIN');
const INSERT = 'INSERT INTO pets (name, category_id, status) VALUES (?, ?, ?)';
const insert = scratch.query(INSERT);
const insertReturning = scratch.query(`${INSERT} RETURNING id`);

group('five steps on a value that is there', () => {
  bench('at once', () => atOnce(5));
  bench('awaited', () => awaited(5));
});
group('ten headers', () => {
  bench('four set on six kept ready', makeAnswer);
  bench('read from an object', () => new Response(reply.body, { headers: { ...everyHeader } }));
});
group('a page of 100 as JSON', () => {
  bench('in doubles', () => petsToJson(page));
  bench('digit by digit', () => petsToJson(large));
});
group('the parameter in a path', () => {
  bench('by hand', () => matchRoute('GET', '/v1/pets/1'));
  bench('by patterns', () => matchPatterns('/v1/pets/1'));
});
group('a query', () => {
  bench('by hand', () => readQuery('limit=20&after=1', OPERATIONS.listPets.query));
  bench('by URLSearchParams', () => readQuery('limit=20&after=%31', OPERATIONS.listPets.query));
});
group('a key in a Map', () => {
  bench('by a number', () => byNumber.get(startOf(hash)));
  bench('by its hash as text', () => byText.get(hash.toHex()));
});
group('the id of a new row', () => {
  bench('from the insertion itself', () => insert.run('Rex', 1, 'sold').lastInsertRowid);
  bench('by RETURNING', () => insertReturning.get('Rex', 1, 'sold'));
});
group('64 creations to another thread', () => {
  bench('as JSON', () => JSON.parse(JSON.stringify(textOrder)));
  bench('as a copy', () => structuredClone(order));
});

await run();
