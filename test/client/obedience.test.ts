import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AnimalStore, type AnimalStoreOptions } from '../../src/client/animal-store.ts';
import type { Limits } from '../../src/domain/plan.ts';
import type { Decision } from '../../src/domain/rate-limit.ts';
import { NO_JOURNAL } from '../../src/domain/usage-journal.ts';
import { refusalProblem } from '../../src/http/answer.ts';
import { errorParts, ResponseWriter } from '../../src/http/response.ts';
import { matchRoute } from '../../src/http/router.ts';
import { MemoryLimiter } from '../../src/memory/limiter.ts';
import { Clock } from '../support/clock.ts';
import { VirtualTime } from '../support/virtual-time.ts';

interface World {
  readonly limits: Limits;
  /** How many callers call again and again, whatever they are told. */
  readonly callers: number;
  readonly minutes: number;
  /** The longest way of a message over the network, in one direction. */
  readonly slowestMs: number;
  /** Whether requests may arrive in another order than they were sent. */
  readonly isOvertaking: boolean;
  /** The share of answers that get lost on their way. */
  readonly lost: number;
  /** The share of calls that are aborted, most of them before the answer has come. */
  readonly aborted: number;
  /** By how much the client's clock is wrong. */
  readonly skewSeconds: number;
  readonly chance: () => number;
  readonly options?: Partial<AnimalStoreOptions>;
  /** Changes what the client is told. */
  readonly tamper?: (response: Response) => Response;
}

type Met = Decision & {
  /** When the request left, an answer had told of a reset that was still to come. */
  readonly isInformed: boolean;
};

/** The real client before the real limiter, in a time that passes only when both have to wait. */
async function simulate(world: World): Promise<Met[]> {
  const { limits, callers, minutes, slowestMs, isOvertaking, lost, aborted, chance } = world;
  const time = new VirtualTime(new Clock('2026-11-15T23:50:00Z'));
  const { clock } = time;
  const endMs = clock.nowMs + minutes * 60_000;
  await using limiter = new MemoryLimiter({
    now: clock.now,
    journal: NO_JOURNAL,
    onSaveFailed: () => {},
  });
  const caller = { subject: 'account:1', limits, key: { id: 1, unbannedAtMs: 0 } };
  const decisions: Met[] = [];
  let informedUntilMs = 0;
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => void time.after(milliseconds, resolve));
  const onTheWayMs = () => Math.max(5, chance() * slowestMs);
  let lastArrivalMs = 0;
  function arrival(): Promise<void> {
    const earliestMs = isOvertaking ? 0 : lastArrivalMs + 1;
    lastArrivalMs = Math.max(earliestMs, clock.nowMs + onTheWayMs());
    return pause(lastArrivalMs - clock.nowMs);
  }

  const store = new AnimalStore(
    {
      baseUrl: 'https://shop.example/v1',
      apiKey: 'ask_test',
      ...world.options,
      async fetch(_, { signal }) {
        const isInformed = clock.nowMs < informedUntilMs;
        await arrival();
        const decision = await limiter.take(caller);
        decisions.push({ ...decision, isInformed });
        const answer = answerTo(decision, clock.nowMs);
        await pause(onTheWayMs());
        if (chance() < lost) throw new TypeError('the answer was lost');
        if (!signal?.aborted) {
          informedUntilMs = Math.max(informedUntilMs, decision.resetAtSeconds * 1000);
        }
        return world.tamper?.(answer) ?? answer;
      },
    },
    time.runtime(chance, world.skewSeconds),
  );
  const sulk = () => pause(10 + chance() * 20_000);
  async function callOnAndOn(): Promise<void> {
    while (clock.nowMs < endMs) {
      const controller = new AbortController();
      if (chance() < aborted) time.after(chance() * slowestMs, () => controller.abort());
      await store.listPets({ signal: controller.signal }).catch(sulk);
    }
  }
  for (let i = 0; i < callers; i++) callOnAndOn();
  while (await time.step(endMs));
  return decisions;
}

const responses = new ResponseWriter('');

/** What the service answers, with the same parts of it. */
function answerTo(decision: Decision, nowMs: number): Response {
  const parts =
    decision.refusedBy === undefined
      ? { status: 200, body: '[]' }
      : errorParts(refusalProblem(decision));
  const response = responses.write(matchRoute('GET', '/v1/pets'), '', parts, decision);
  response.headers.set('Date', new Date(nowMs).toUTCString());
  return response;
}

function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const worlds = fc.record({
  limits: fc.record({
    perMinute: fc.integer({ min: 1, max: 120 }),
    perDay: fc.integer({ min: 1, max: 400 }),
  }),
  callers: fc.integer({ min: 1, max: 250 }),
  minutes: fc.constant<number>(12),
  slowestMs: fc.integer({ min: 20, max: 8_000 }),
  isOvertaking: fc.boolean(),
  skewSeconds: fc.integer({ min: -5_000, max: 5_000 }),
  chance: fc.integer().map(seededChance),
});

function refusals(decisions: readonly Decision[]): string[] {
  return decisions.flatMap(({ refusedBy }) => refusedBy ?? []);
}

describe('a client, with callers who never give up', () => {
  const anyOptions = fc.record({
    pace: fc.boolean(),
    maxConcurrentRequests: fc.integer({ min: 1, max: 200 }),
    maxRetries: fc.integer({ min: 0, max: 8 }),
    maxRetryWaitSeconds: fc.integer({ min: 0, max: 100_000 }),
  });

  const busy = {
    limits: { perMinute: 60, perDay: 1_000 },
    callers: 100,
    minutes: 5,
    slowestMs: 300,
    isOvertaking: true,
    lost: 0,
    aborted: 0,
    skewSeconds: 0,
    chance: seededChance(1),
  };

  const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  const losses = fc.record({ lost: share, aborted: share });

  test('is never banned, paced or not, even when answers get lost or calls are aborted', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, anyOptions, losses, async (world, options, lossy) => {
        const decisions = await simulate({ ...world, ...lossy, options });
        expect(decisions).not.toBeEmpty();
        expect(refusals(decisions)).not.toContain('ban');
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test('is never banned when a proxy hides every 429 behind an answer of its own', async () => {
    const proxies = fc.constantFrom(
      () => new Response('busy', { status: 503 }),
      () => Response.json({ code: 'E1', message: 'Oops' }, { status: 500 }),
      () => new Response('<h1>No</h1>', { status: 403 }),
      () => new Response('<h1>Log in</h1>'),
      () => Response.json({ error: 'slow down' }),
    );
    await fc.assert(
      fc.asyncProperty(worlds, anyOptions, losses, proxies, async (world, options, lossy, page) => {
        const tamper = (response: Response) => (response.status === 429 ? page() : response);
        const unpaced = { ...options, pace: false };
        const decisions = await simulate({ ...world, ...lossy, options: unpaced, tamper });
        expect(refusals(decisions)).not.toContain('ban');
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  test('meets no 429 at all when it paces itself and has the account to itself', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, anyOptions, async (world, options) => {
        const alone = { ...world, lost: 0, aborted: 0, options: { ...options, pace: true } };
        const decisions = await simulate(alone);
        expect(decisions).not.toBeEmpty();
        expect(refusals(decisions)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test('meets no 429 before the told reset when answers get lost or calls are aborted', async () => {
    const bounds = { maxConcurrentRequests: 100, maxRetries: 5, maxRetryWaitSeconds: 120 };
    const impatient = { ...bounds, pace: true };
    await fc.assert(
      fc.asyncProperty(worlds, anyOptions, losses, async (world, options, lossy) => {
        // Of a request that was given up and that later ones overtake, nobody can know.
        const orderly = { ...world, ...lossy, isOvertaking: false };
        const decisions = await simulate({ ...orderly, options: { ...options, pace: true } });
        expect(refusals(decisions.filter(({ isInformed }) => isInformed))).toEqual([]);
      }),
      { numRuns: 40, examples: [[busy, impatient, { lost: 0.1, aborted: 0.5 }]] },
    );
  }, 120_000);

  test('uses all that it may of each minute', async () => {
    const admitted = (await simulate(busy)).filter(({ refusedBy }) => refusedBy === undefined);
    expect(admitted.length).toBeGreaterThanOrEqual(5 * 60);
  });

  test('would be banned if it did not hear how long to wait', async () => {
    const deaf = (response: Response) => {
      response.headers.set('retry-after', '1');
      return response;
    };
    const options = { pace: false, maxConcurrentRequests: 200 };
    expect(refusals(await simulate({ ...busy, options, tamper: deaf }))).toContain('ban');
    expect(refusals(await simulate({ ...busy, options }))).not.toContain('ban');
  });
});
