import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { seededRandom } from '#staging/seeded-random.ts';
import {
  type CreatedPet,
  CreatePetsError,
  type NewPet,
} from '../../packages/client/src/animal-store.ts';
import { startServiceForAll } from '../support/service.ts';
import { amount, rejection } from '../support/time.ts';
import {
  abortable,
  limitedStore,
  loseResponse,
  type NetworkBehavior,
  neverRespond,
  passThrough,
  virtualTimeStore,
} from './virtual-time.ts';

const service = await startServiceForAll();

let inputs = 0;
/** Pets with names that no other test uses. `pets` reads them from the start. */
function input(count: number) {
  const prefix = `input-${++inputs}`;
  const state = { read: 0, isClosed: false };
  const petAt = (index: number): NewPet => ({ name: `${prefix} ${index}`, categoryId: index });
  async function* pets(): AsyncGenerator<NewPet> {
    try {
      for (let index = 0; index < count; index++) {
        state.read++;
        yield petAt(index);
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { prefix, state, pets, petAt };
}

/** The sorted indexes of the pets of an input that are in the store. */
async function stored(prefix: string) {
  const { store } = virtualTimeStore(service);
  const indexes: number[] = [];
  for await (const { name } of store.pets()) {
    if (name.startsWith(`${prefix} `)) indexes.push(Number(name.slice(prefix.length)));
  }
  return indexes.sort((a, b) => a - b);
}

function upTo(count: number) {
  return Array.from({ length: count }, (_, index) => index);
}

async function indexesOf(created: AsyncIterable<CreatedPet>) {
  return (await Array.fromAsync(created)).map(({ index }) => index);
}

/** The pets that a failing call yields before its error. */
async function consumed(created: AsyncIterable<CreatedPet>) {
  const indexes: number[] = [];
  const consume = async () => {
    for await (const { index } of created) indexes.push(index);
  };
  return { error: await rejection(consume()), indexes };
}

const someTurns = async () => {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
};

describe('createPets', () => {
  test.each([
    [8, {}],
    [1, { concurrency: 1 }],
    [32, { concurrency: 200 }],
  ])('has at most %i requests in flight with the options %j', async (most, options) => {
    let inFlight = 0;
    let greatest = 0;
    const count: NetworkBehavior = async (forward) => {
      greatest = Math.max(greatest, ++inFlight);
      const response = await forward();
      inFlight--;
      return response;
    };
    const { store, settled } = await limitedStore(service, {}, {}, Array(61).fill(count));
    // This request is sent alone, because only its response says how many may follow.
    await store.listPets();
    await settled(indexesOf(store.createPets(input(60).pets(), options)));
    expect(greatest).toBe(most);
  });

  test('reads and sends no further than the concurrency while the consumer is busy', async () => {
    const { pets, state } = input(100);
    const { store, sent, settled } = await limitedStore(service, {});
    const created = store.createPets(pets(), { concurrency: 5 });
    for (const taken of [1, 2, 3]) {
      await settled(created.next());
      await someTurns();
      expect(sent).toHaveLength(4 + taken);
      expect(state.read).toBe(4 + taken);
    }
    await created.return();
  });

  test('yields a pet while the input waits for the next one', async () => {
    const { store, settled } = await limitedStore(service, {});
    const { petAt } = input(1);
    async function* slow() {
      yield petAt(0);
      await new Promise(() => {});
    }
    const first = Promise.withResolvers<number>();
    const abort = abortable(async (signal) => {
      for await (const { index } of store.createPets(slow(), { signal })) first.resolve(index);
    });
    expect(await settled(first.promise)).toBe(0);
    // Even such an input does not delay the end.
    await abort();
  });

  test('waits for the minute and for the day instead of throwing, and gets no 429', async () => {
    service.clock.set('2027-01-01T23:50:00Z');
    const first = service.observed.length;
    const { pets } = input(210);
    const { store, waits, settled } = await limitedStore(service, { perMinute: 30, perDay: 100 });
    expect(await settled(indexesOf(store.createPets(pets())))).toEqual(upTo(210));
    const statuses = service.observed.slice(first).map(({ response }) => response.status);
    expect(statuses).not.toContain(429);
    expect(waits.every(({ reason }) => reason === 'quota')).toBe(true);
    expect(waits.filter(({ waitSeconds }) => waitSeconds > 80_000)).toHaveLength(1);
    expect(new Date(service.clock.nowMs).toISOString()).toStartWith('2027-01-03');
  });

  test('repeated with the same batch returns the same pets, and adds only the rest', async () => {
    const { prefix, pets } = input(20);
    const { store, settled } = await limitedStore(service, {}, {}, [passThrough, loseResponse]);
    const options = { batch: prefix };
    const earlier: CreatedPet[] = [];
    const stopAtTen = async () => {
      for await (const created of store.createPets(pets(), options)) {
        if (earlier.push(created) === 10) break;
      }
    };
    await settled(stopAtTen());
    const again = await settled(Array.fromAsync(store.createPets(pets(), options)));
    expect(again.slice(0, 10)).toEqual(earlier.map((one) => ({ ...one, isReplayed: true })));
    expect(again.at(-1)).toMatchObject({ index: 19, isReplayed: false });
  });

  test('does not send a pet again once the service has forgotten its idempotency key', async () => {
    service.clock.set('2027-02-02T00:00:00Z');
    const { prefix, pets } = input(1);
    // The day is used up after the lost request, so a retry has to wait for the next one.
    const { store, sent, settled } = await limitedStore(service, { perDay: 1 }, {}, [loseResponse]);
    const error = await settled(rejection(Array.fromAsync(store.createPets(pets()))));
    expect(error).toMatchObject({ index: 0, cause: { name: 'ConnectionError' } });
    expect(sent).toHaveLength(2);
    expect(service.clock.nowMs).toBeGreaterThan(Date.parse('2027-02-03'));
    expect(await stored(prefix)).toEqual([0]);
  });
});

describe('createPets stops', () => {
  test('at break: it aborts its requests, closes the input and sends nothing more', async () => {
    const { pets, state } = input(100);
    const behaviors = [passThrough, passThrough, ...Array(98).fill(neverRespond)];
    const { store, sent, settled, time } = await limitedStore(service, {}, {}, behaviors);
    const breakAtOne = async () => {
      for await (const { index } of store.createPets(pets())) if (index === 1) break;
    };
    await settled(breakAtOne());
    expect(state.isClosed).toBe(true);
    const count = sent.length;
    expect(count).toBeGreaterThan(2);
    expect(sent.slice(2).every(({ signal }) => signal?.aborted)).toBe(true);
    while (await time.step());
    await someTurns();
    expect(sent).toHaveLength(count);
  });

  test('at a pet that fails, after the pets before it', async () => {
    const { prefix, pets, state } = input(100);
    async function* withInvalid() {
      for await (const pet of pets()) {
        yield pet.categoryId === 12 ? { ...pet, categoryId: 1.5 } : pet;
      }
    }
    const { store, settled } = await limitedStore(service, {});
    const created = store.createPets(withInvalid(), { batch: prefix });
    const { indexes, error } = await settled(consumed(created));
    expect(error).toBeInstanceOf(CreatePetsError);
    const message = expect.stringContaining(`The pet at index 12 of batch ${prefix} failed: `);
    const cause = { name: 'TypeError' };
    expect(error).toMatchObject({ index: 12, batch: prefix, message, cause });
    expect(indexes).toEqual(upTo(12));
    expect(state.isClosed).toBe(true);
    expect(await stored(prefix)).toEqual(upTo(12));
  });

  test('with the error of the input, after the pets before it', async () => {
    const broken = new Error('line 4 is not JSON');
    async function* pets() {
      yield* input(3).pets();
      throw broken;
    }
    const { store, settled } = await limitedStore(service, {});
    const { indexes, error } = await settled(consumed(store.createPets(pets())));
    expect(error).toBe(broken);
    expect(indexes).toEqual(upTo(3));
  });
});

describe('after crashes at random times', () => {
  const crashes = fc.array(
    fc.record({
      /** Requests of the run before it crashes. */
      after: fc.integer({ min: 1, max: 60 }),
      concurrency: fc.constantFrom(1, 8, 50),
      /** True if the next run continues after the last pet, and not from the start. */
      isIndexKept: fc.boolean(),
    }),
    { minLength: 3, maxLength: 8 },
  );

  test('the store has each pet once, and at most the first request of a run was refused', async () => {
    await fc.assert(
      fc.asyncProperty(crashes, fc.integer(), async (crashes, seed) => {
        const random = seededRandom(seed);
        const total = 100;
        const { prefix, pets, petAt } = input(total);
        const { secret } = await service.makeKey('enterprise', { perMinute: 50 });
        const ids = new Map<number, bigint>();

        for (const crash of [...crashes, undefined]) {
          const crashed = Promise.withResolvers<void>();
          const never = new Promise<never>(() => {});
          const delivered: Promise<Response>[] = [];
          let requests = 0;
          let hasCrashed = false;
          const network: NetworkBehavior = async (forward) => {
            if (++requests === crash?.after) {
              hasCrashed = true;
              crashed.resolve();
            }
            // The last requests may reach the service, but their responses are lost.
            if (hasCrashed && random() < 0.5) return never;
            const response = forward();
            delivered.push(response);
            await response;
            return hasCrashed ? never : response;
          };
          const behaviors = Array<NetworkBehavior>(5_000).fill(network);
          const { store, settled } = virtualTimeStore(service, { apiKey: secret }, behaviors);
          const from = crash?.isIndexKept === false ? 0 : ids.size;
          const options = { batch: prefix, from, concurrency: crash?.concurrency };
          const run = async () => {
            let expected = from;
            for await (const { index, pet } of store.createPets(pets(), options)) {
              expect(index).toBe(expected++);
              expect(pet.name).toBe(petAt(index).name);
              expect(ids.get(index) ?? pet.id).toBe(pet.id);
              ids.set(index, pet.id);
            }
          };
          await settled(Promise.race([run(), crashed.promise]));
          const statuses = (await Promise.all(delivered)).map(({ status }) => status);
          // A new client cannot know that the window is used up.
          expect(statuses.slice(1)).not.toContain(429);
        }
        expect([...ids.keys()].sort((a, b) => a - b)).toEqual(upTo(total));
        expect(await stored(prefix)).toEqual(upTo(total));
      }),
      // Shrinking would repeat the whole import hundreds of times.
      { numRuns: amount(2, 30), endOnFailure: true },
    );
  });
});
