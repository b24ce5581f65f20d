import { describe, expect, test } from 'bun:test';
import { type KnownKey, toKnownKey } from '../../src/domain/api-key.ts';
import { AppError } from '../../src/domain/error.ts';
import { KnownKeys } from '../../src/memory/known-keys.ts';
import { anApiKey } from '../support/api-key.ts';
import { Clock } from '../support/clock.ts';
import { rejection } from '../support/rejection.ts';

const HASH = new Uint8Array(32);
const KNOWN = toKnownKey(anApiKey(), HASH, {
  id: 1,
  name: 'x',
  plan: 'free',
  limits: { perMinute: 60, perDay: 1_000 },
  createdAtMs: 0,
});

/** A directory that counts look-ups and can be away. */
function directory() {
  const state = {
    lookUps: 0,
    known: KNOWN as KnownKey | undefined,
    error: undefined as Error | undefined,
  };
  const clock = new Clock();
  const keys = new KnownKeys(
    {
      async findKey() {
        state.lookUps++;
        await Promise.resolve();
        if (state.error !== undefined) throw state.error;
        return state.known;
      },
    },
    clock.now,
  );
  return { state, clock, keys };
}

describe('a key that was looked up', () => {
  test('is known for half a second, and looked up again then', async () => {
    const { state, clock, keys } = directory();
    for (let i = 0; i < 10; i++) expect(await keys.findKey(HASH)).toBe(KNOWN);
    expect(state.lookUps).toBe(1);
    clock.advance(0.5);
    state.known = undefined;
    expect(await keys.findKey(HASH)).toBeUndefined();
  });

  test('is looked up once by requests that come together', async () => {
    const { state, keys } = directory();
    await Promise.all(Array.from({ length: 50 }, () => keys.findKey(HASH)));
    expect(state.lookUps).toBe(1);
  });

  test('stays known for a minute while the store is away', async () => {
    const { state, clock, keys } = directory();
    await keys.findKey(HASH);
    state.error = new AppError('service_unavailable', 'away');
    clock.advance(59.999);
    expect(await keys.findKey(HASH)).toBe(KNOWN);
    clock.advance(0.001);
    expect(await rejection(keys.findKey(HASH))).toBe(state.error);
  });

  test('is looked up again when the clock was set back', async () => {
    const { state, clock, keys } = directory();
    await keys.findKey(HASH);
    clock.advance(-3_600);
    state.known = undefined;
    expect(await keys.findKey(HASH)).toBeUndefined();
  });

  test('is not kept when the store fails in another way', async () => {
    const { state, clock, keys } = directory();
    await keys.findKey(HASH);
    state.error = new Error('a fault of ours');
    clock.advance(1);
    expect(await rejection(keys.findKey(HASH))).toBe(state.error);
  });
});

test('a key that does not exist is looked up every time, and takes no memory', async () => {
  const { state, keys } = directory();
  state.known = undefined;
  for (let i = 0; i < 3; i++) expect(await keys.findKey(HASH)).toBeUndefined();
  expect(state.lookUps).toBe(3);
});
