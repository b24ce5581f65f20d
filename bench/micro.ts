import { join } from 'node:path';
import { hasValidChecksum } from '../src/domain/api-key.ts';
import { int64FromJsonNumber, parseInt64 } from '../src/domain/int64.ts';
import { parseJson } from '../src/domain/json.ts';
import { newPetSchema, petsToJson, petToJson } from '../src/domain/pet.ts';
import { authenticate } from '../src/http/authenticate.ts';
import { CORS_HEADERS } from '../src/http/cors.ts';
import { matchRoute, splitUrl } from '../src/http/router.ts';
import { MemoryLimiter, NO_JOURNAL } from '../src/memory/limiter.ts';
import { Metrics } from '../src/operator/metrics.ts';
import { platform } from '../src/platform.ts';
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
const headers = {
  ...{
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
    'X-RateLimit-Reset': '1794700860',
  },
  ...{ 'X-Request-Id': platform.newRequestId(), 'Content-Type': 'application/json' },
  ...{ ...CORS_HEADERS, Deprecation: '@1794614400', Link: '<x>; rel="successor-version"' },
};
const metrics = new Metrics();
const decision = await limiter.take(admitted);

group('one getPet, step by step', () => {
  bench('name the request', () => platform.newRequestId());
  bench('read its key', () => request.headers.get('authorization'));
  bench('find the operation', () => matchRoute('GET', splitUrl(url).path));
  bench('check the key, remembered', () => authenticate(authorization, store.keys, sha256, now()));
  bench('count it', () => limiter.take(admitted));
  bench('find the animal, remembered', () => store.pets.getPet(1n));
  bench('write the animal', () => petToJson(pet));
  bench('make the answer', () => new Response(body, { status: 200, headers: { ...headers } }));
  bench('note it for the metrics', () =>
    metrics.record({ operation: 'getPet', status: 200, decision, durationSeconds: 0.0001 }),
  );
});

group('key check', () => {
  bench('checksum', () => hasValidChecksum(secret));
  bench('SHA-256', () => sha256(secret));
  bench('all, remembered', () => authenticate(authorization, store.keys, sha256, now()));
  bench('all, from the file', () => authenticate(authorization, store.accounts, sha256, now()));
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
  bench('read 20 from SQLite', () => store.pets.listPets({ limit: 20 }));
  bench('read 100 from SQLite', () => store.pets.listPets({ limit: 100 }));
  bench('render 20', () => petsToJson(pageOf20));
  bench('render 100', () => petsToJson(page));
});

await run();
