import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Decision } from '#domain/rate-limit.ts';
import { ResponseWriter } from '#http/response.ts';
import { refusalProblem } from '#http/unserved.ts';
import { seededRandom } from '#staging/seeded-random.ts';
import { AnimalStore, type AnimalStoreOptions } from '../../packages/client/src/animal-store.ts';
import { newMemoryLimiter } from '../limiters/limiters.ts';
import { amount, Clock } from '../support/time.ts';
import { VirtualTime } from './virtual-time.ts';

const RUNS = amount(2, 100);

const BUSY = {
  limits: { perMinute: 60, perDay: 1_000 },
  /** Callers that call in a loop, whatever errors they get. */
  callers: 100,
  minutes: 5,
  /** The longest one-way network delay. */
  maxDelayMs: 300,
  /** True if requests may arrive out of order. */
  isReordered: true,
  /** The share of responses that are lost. */
  lost: 0,
  /** The share of calls that are aborted, most of them before the response. */
  aborted: 0,
  /** The error of the client's clock. */
  skewSeconds: 0,
  random: seededRandom(1),
};

type World = typeof BUSY & { readonly options?: Partial<AnimalStoreOptions> };

type TakenRequest = Decision & {
  /** True if the client knew a reset in the future when it sent the request. */
  readonly isInformed: boolean;
};

/** The real client against the real limiter. Time advances only while both wait. */
async function simulate(world: World): Promise<TakenRequest[]> {
  const { limits, callers, minutes, maxDelayMs, isReordered, lost, aborted, random } = world;
  const time = new VirtualTime(new Clock('2026-11-15T23:50:00Z'));
  const { clock } = time;
  const endMs = clock.nowMs + minutes * 60_000;
  await using limiter = newMemoryLimiter(clock.now);
  const caller = { subject: 'account:1', ...limits, id: 1, unbannedAtMs: 0 };
  const decisions: TakenRequest[] = [];
  let informedUntilMs = 0;
  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => void time.after(milliseconds, resolve));
  const delayMs = () => Math.max(5, random() * maxDelayMs);
  let lastArrivalMs = 0;
  function arrival() {
    const earliestMs = isReordered ? 0 : lastArrivalMs + 1;
    lastArrivalMs = Math.max(earliestMs, clock.nowMs + delayMs());
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
        const decision = await limiter.take(caller, clock.now());
        decisions.push({ ...decision, isInformed });
        const response = responseTo(decision, clock.nowMs);
        await pause(delayMs());
        if (random() < lost) throw new TypeError('Failed to fetch');
        if (!signal?.aborted) {
          informedUntilMs = Math.max(informedUntilMs, decision.resetAtSeconds * 1000);
        }
        return response;
      },
    },
    time.runtime(random, world.skewSeconds),
  );
  const waitAfterError = () => pause(10 + random() * 20_000);
  async function callInLoop() {
    while (clock.nowMs < endMs) {
      const controller = new AbortController();
      if (random() < aborted) time.after(random() * maxDelayMs, () => controller.abort());
      await store.listPets({ signal: controller.signal }).catch(waitAfterError);
    }
  }
  for (let i = 0; i < callers; i++) callInLoop();
  while (await time.step(endMs));
  return decisions;
}

const responses = new ResponseWriter('', 'production', false);

/** The response of the service, built by its own code. */
function responseTo(decision: Decision, nowMs: number) {
  const parts =
    decision.refusedBy === undefined ? { status: 200, body: '[]' } : refusalProblem(decision);
  const route = { isApi: true, operation: 'listPets' } as const;
  const response = responses.write(route, '', parts, decision);
  response.headers.set('Date', new Date(nowMs).toUTCString());
  return response;
}

const worlds = fc.record({
  limits: fc.record({
    perMinute: fc.integer({ min: 1, max: 120 }),
    perDay: fc.integer({ min: 1, max: 400 }),
  }),
  callers: fc.integer({ min: 1, max: 250 }),
  minutes: fc.constant<number>(12),
  maxDelayMs: fc.integer({ min: 20, max: 8_000 }),
  isReordered: fc.boolean(),
  skewSeconds: fc.integer({ min: -5_000, max: 5_000 }),
  random: fc.integer().map(seededRandom),
});

function refusals(decisions: readonly Decision[]) {
  return decisions.flatMap(({ refusedBy }) => refusedBy ?? []);
}

describe('a client whose callers never give up', () => {
  const anyOptions = fc.record({
    pace: fc.boolean(),
    maxConcurrentRequests: fc.integer({ min: 1, max: 200 }),
    maxRetries: fc.integer({ min: 0, max: 8 }),
    maxRetryWaitSeconds: fc.integer({ min: 0, max: 100_000 }),
  });

  const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));
  const losses = fc.record({ lost: share, aborted: share });

  test('is never banned, and gets no 429 if it paces its requests and is alone', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, anyOptions, async (world, options) => {
        const decisions = await simulate({ ...world, lost: 0, aborted: 0, options });
        expect(decisions).not.toBeEmpty();
        if (options.pace) expect(refusals(decisions)).toEqual([]);
        else expect(refusals(decisions)).not.toContain('ban');
      }),
      { numRuns: 2 * RUNS },
    );
  });

  test('never gets a 429 before a known reset, even if responses are lost or calls are aborted', async () => {
    const options = { maxConcurrentRequests: 100, maxRetries: 5, maxRetryWaitSeconds: 120 };
    await fc.assert(
      fc.asyncProperty(worlds, anyOptions, losses, async (world, options, lossy) => {
        // The client cannot know of an abandoned request that later ones overtake.
        const orderly = { ...world, ...lossy, isReordered: false };
        const decisions = await simulate({ ...orderly, options: { ...options, pace: true } });
        expect(refusals(decisions.filter(({ isInformed }) => isInformed))).toEqual([]);
      }),
      {
        numRuns: RUNS,
        examples: [[BUSY, { ...options, pace: true }, { lost: 0.1, aborted: 0.5 }]],
      },
    );
  });

  test('uses the whole quota of each minute', async () => {
    const admitted = (await simulate(BUSY)).filter(({ refusedBy }) => refusedBy === undefined);
    expect(admitted.length).toBeGreaterThanOrEqual(5 * 60);
  });
});
