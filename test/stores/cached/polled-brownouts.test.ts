import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { OperatorStore, Store } from '../../../src/domain/backend.ts';
import type { Brownout } from '../../../src/domain/brownout.ts';
import { StoreUnavailableError } from '../../../src/domain/error.ts';
import { PolledBrownouts } from '../../../src/stores/cached/polled-brownouts.ts';
import { Clock } from '../../support/clock.ts';
import { eventually } from '../../support/command.ts';
import { backend, TEST_ORIGIN } from '../../support/open-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
const clock = new Clock();
let store: Store;
let commands: OperatorStore;

beforeAll(async () => {
  const embedded = backend(`sqlite:${join(folder.path, 'store.db')}`);
  store = await embedded.openStore();
  commands = await embedded.openForCommand(TEST_ORIGIN);
});
afterAll(async () => {
  await commands[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function schedule(inSeconds: number): Promise<Brownout> {
  const startsAtMs = clock.now() + inSeconds * 1000;
  const times = { startsAtMs, endsAtMs: startsAtMs + 60_000, nowMs: clock.now() };
  return commands.brownouts.scheduleBrownout({ operation: 'getPet', ...times });
}

/** Brownouts of the real store, which can be away. */
async function poll() {
  const changes: string[] = [];
  const failures: unknown[] = [];
  const state = { error: undefined as Error | undefined, polls: 0, changes, failures };
  const brownouts = await PolledBrownouts.open({
    store: {
      async currentBrownouts(nowMs) {
        state.polls++;
        if (state.error !== undefined) throw state.error;
        return store.brownouts.currentBrownouts(nowMs);
      },
    },
    now: clock.now,
    onBegan: ({ id }) => changes.push(`${id} began`),
    onEnded: ({ id }) => changes.push(`${id} ended`),
    onFailed: (error) => failures.push(error),
    pollMs: 1,
  });
  /** Resolves after a poll that began later than this call. */
  const nextPoll = async () => {
    const { polls } = state;
    await eventually(() => state.polls >= polls + 2);
  };
  return { state, brownouts, nextPoll };
}

test('brownouts are known at once, and each start and end is announced once', async () => {
  const { id } = await schedule(0);
  const { state, brownouts, nextPoll } = await poll();
  await using _ = brownouts;
  expect(brownouts.current.map((each) => each.id)).toEqual([id]);
  await nextPoll();
  expect(state.changes).toEqual([`${id} began`]);
  clock.advance(60);
  await nextPoll();
  await nextPoll();
  expect(state.changes).toEqual([`${id} began`, `${id} ended`]);
  expect(brownouts.current).toEqual([]);
});

test('one that is scheduled or cancelled later is noticed', async () => {
  const { state, brownouts, nextPoll } = await poll();
  await using _ = brownouts;
  const { id } = await schedule(10);
  await nextPoll();
  expect([brownouts.current.length, state.changes]).toEqual([1, []]);
  clock.advance(10);
  await nextPoll();
  await commands.brownouts.cancelBrownout(id, clock.now());
  await nextPoll();
  expect(brownouts.current).toEqual([]);
  expect(state.changes).toEqual([`${id} began`, `${id} ended`]);
});

test('while the store is away, the last brownouts hold until their end', async () => {
  const { id } = await schedule(10);
  const { state, brownouts, nextPoll } = await poll();
  await using _ = brownouts;
  state.error = new StoreUnavailableError('away');
  clock.advance(10);
  await nextPoll();
  expect(brownouts.current.map((each) => each.id)).toEqual([id]);
  clock.advance(60);
  await nextPoll();
  expect(state.changes).toEqual([`${id} began`, `${id} ended`]);
  state.error = undefined;
  await nextPoll();
  expect(brownouts.current).toEqual([]);
  expect(state.failures).toEqual([]);
});

test('an error other than that of a store that is away is reported', async () => {
  const { state, brownouts, nextPoll } = await poll();
  await using _ = brownouts;
  state.error = new Error('permission denied for table brownouts');
  await nextPoll();
  expect(state.failures[0]).toBe(state.error);
});

test('nothing is read after the end', async () => {
  const { state, brownouts } = await poll();
  await brownouts[Symbol.asyncDispose]();
  const { polls } = state;
  await Bun.sleep(10);
  expect(state.polls).toBe(polls);
});
