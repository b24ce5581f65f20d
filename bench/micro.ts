import { join } from 'node:path';
import { hasValidChecksum } from '../src/domain/api-key.ts';
import { int64FromJsonNumber, parseInt64 } from '../src/domain/int64.ts';
import { parseJson } from '../src/domain/json.ts';
import { newPetSchema, petsToJson, petToJson } from '../src/domain/pet.ts';
import { authenticate } from '../src/http/authenticate.ts';
import { MemoryLimiter, NO_JOURNAL } from '../src/memory/limiter.ts';
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
await using limiter = await MemoryLimiter.open({ now, journal: NO_JOURNAL, onSaveFailed() {} });

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

group('key check', () => {
  bench('checksum', () => hasValidChecksum(secret));
  bench('SHA-256', () => sha256(secret));
  bench('all, with the look-up in SQLite', () =>
    authenticate(authorization, store.accounts, sha256, now()),
  );
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
