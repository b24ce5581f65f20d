import { Pool } from '../src/postgres/pool.ts';
import { openPostgresStore } from '../src/postgres/store.ts';
import { TestPostgres } from '../test/support/postgres.ts';

/**
 * Whether creations that come together should share a round trip: 64 callers add animals one after
 * the other, each with an INSERT of its own or through the store, in turns. Prints the ratio.
 */

const CALLERS = 64;
const ROUNDS = 5;
const ROUND_MS = 2_000;
const REX = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

await using postgres = await TestPostgres.start();
const url = await postgres.newDatabase();
await using store = await openPostgresStore(url, 10);
await using pool = new Pool(url, 10);

const ways: Record<string, () => PromiseLike<unknown>> = {
  'an INSERT each': () => pool.sql`INSERT INTO pets (name, category_id, status)
    VALUES (${REX.name}, ${REX.categoryId}, ${REX.status}) RETURNING id`,
  'sharing one': () => store.pets.createPet(REX),
};

async function perSecond(create: () => PromiseLike<unknown>): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let count = 0;
  const caller = async () => {
    while (performance.now() < end) {
      await create();
      count++;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (count / ROUND_MS) * 1000;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

const results = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, create] of Object.entries(ways))
    results.get(name)?.push(await perSecond(create));
}
const [each = 0, shared = 0] = [...results.values()].map(median);
for (const [name, numbers] of results) {
  console.log(`${name.padEnd(16)} ${median(numbers).toFixed(0).padStart(7)} creations a second`);
}
console.log(`ratio            ${(shared / each).toFixed(1).padStart(7)}`);
