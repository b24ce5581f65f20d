import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { OperatorStore, Store } from '../../src/domain/backend.ts';
import type { Brownout, BrownoutStore, NewBrownout } from '../../src/domain/brownout.ts';
import { backend, TEST_ORIGIN } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NOW_MS = Date.UTC(2027, 0, 15, 12);
const MINUTE_MS = 60_000;

const folder = temporaryFolder();
let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

let files = 0;
const NEW_URL = {
  SQLite: async () => `sqlite:${join(folder.path, `${++files}.db`)}`,
  PostgreSQL: () => postgres.newDatabase(),
};

describe.each(Object.entries(NEW_URL))('brownouts in %s', (_, newUrl) => {
  let url: string;
  let store: Store;
  let commands: OperatorStore;
  let brownouts: BrownoutStore;

  beforeAll(async () => {
    url = await newUrl();
    store = await backend(url, 2).openStore();
    commands = await backend(url, 2).openForCommand(TEST_ORIGIN);
    brownouts = commands.brownouts;
  });
  afterAll(async () => {
    await commands[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });

  /** Each test has an hour without brownouts of other tests. */
  let hours = 0;
  function newBrownout(fromMinute = 0, minutes = 15): NewBrownout {
    const startsAtMs = NOW_MS + hours * 60 * MINUTE_MS + fromMinute * MINUTE_MS;
    const endsAtMs = startsAtMs + minutes * MINUTE_MS;
    return { operation: 'getPet', startsAtMs, endsAtMs, nowMs: NOW_MS };
  }

  async function messageOf(attempt: Promise<Brownout>): Promise<unknown> {
    return ((await rejection(attempt)) as Error).message;
  }

  async function auditOf(id: number) {
    const all = await commands.audit.listChanges({});
    return all.filter(({ subject }) => subject === `brownout ${id}`).toReversed();
  }

  test('one that is scheduled is listed, and the service reads it until its end', async () => {
    hours++;
    const { nowMs: createdAtMs, ...planned } = newBrownout();
    const scheduled = await brownouts.scheduleBrownout({ ...planned, nowMs: createdAtMs });
    const expected = { id: expect.any(Number), ...planned, createdAtMs, cancelledAtMs: null };
    expect(scheduled).toEqual(expected);
    expect(await brownouts.listBrownouts()).toContainEqual(scheduled);
    expect(await store.brownouts.currentBrownouts(planned.endsAtMs - 1)).toContainEqual(scheduled);
    expect(await store.brownouts.currentBrownouts(planned.endsAtMs)).not.toContainEqual(scheduled);
  });

  test('lists are in the order of the start', async () => {
    hours++;
    await brownouts.scheduleBrownout(newBrownout(30));
    await brownouts.scheduleBrownout(newBrownout(0));
    const starts = (await brownouts.listBrownouts()).map(({ startsAtMs }) => startsAtMs);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  test('one that overlaps another of the operation is refused', async () => {
    hours++;
    const { id } = await brownouts.scheduleBrownout(newBrownout(20));
    const before = await brownouts.listBrownouts();
    for (const other of [newBrownout(6), newBrownout(34), newBrownout(21, 1), newBrownout(0, 60)]) {
      expect(await messageOf(brownouts.scheduleBrownout(other))).toBe(
        `Brownout ${id} of getPet overlaps that time. Cancel it, or choose another time.`,
      );
    }
    expect(await brownouts.listBrownouts()).toEqual(before);
    await brownouts.scheduleBrownout(newBrownout(5));
    await brownouts.scheduleBrownout(newBrownout(35));
    await brownouts.scheduleBrownout({ ...newBrownout(20), operation: 'another' });
  });

  test('of two that are scheduled together at the same time, one is refused', async () => {
    await using other = await backend(url).openForCommand(TEST_ORIGIN);
    for (let round = 0; round < 20; round++) {
      hours++;
      const attempts = await Promise.allSettled(
        [brownouts, other.brownouts].map((each) => each.scheduleBrownout(newBrownout())),
      );
      expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  test('one that is cancelled stays listed, ends at once and makes room for another', async () => {
    hours++;
    const { id, ...planned } = await brownouts.scheduleBrownout(newBrownout());
    const nowMs = planned.startsAtMs + MINUTE_MS;
    const cancelled = await brownouts.cancelBrownout(id, nowMs);
    expect(cancelled).toEqual({ id, ...planned, cancelledAtMs: nowMs });
    expect(await brownouts.listBrownouts()).toContainEqual(cancelled);
    const current = await store.brownouts.currentBrownouts(nowMs);
    expect(current.map((each) => each.id)).not.toContain(id);
    await brownouts.scheduleBrownout(newBrownout());
  });

  test('one that is over, cancelled or unknown cannot be cancelled', async () => {
    hours++;
    const { id, endsAtMs } = await brownouts.scheduleBrownout(newBrownout());
    expect(await messageOf(brownouts.cancelBrownout(id, endsAtMs))).toBe(
      `Brownout ${id} is already over.`,
    );
    await brownouts.cancelBrownout(id, endsAtMs - 1);
    expect(await messageOf(brownouts.cancelBrownout(id, endsAtMs - 1))).toBe(
      `Brownout ${id} was already cancelled.`,
    );
    expect(await messageOf(brownouts.cancelBrownout(999_999, NOW_MS))).toBe(
      'Brownout 999999 does not exist.',
    );
  });

  test('each change is audited, and an attempt that fails is not', async () => {
    hours++;
    const { id, startsAtMs, endsAtMs } = await brownouts.scheduleBrownout(newBrownout());
    await rejection(brownouts.scheduleBrownout(newBrownout()));
    await brownouts.cancelBrownout(id, NOW_MS + 1);
    await rejection(brownouts.cancelBrownout(id, NOW_MS + 2));
    const value = {
      operation: 'getPet',
      startsAt: new Date(startsAtMs).toISOString(),
      endsAt: new Date(endsAtMs).toISOString(),
    };
    const cancelled = { ...value, cancelledAt: new Date(NOW_MS + 1).toISOString() };
    const entries = (await auditOf(id)).map(({ oldValue, newValue, ...rest }) => ({
      ...rest,
      oldValue: oldValue && JSON.parse(oldValue),
      newValue: newValue && JSON.parse(newValue),
    }));
    expect(entries).toMatchObject([
      { action: 'brownout.schedule', ...TEST_ORIGIN, oldValue: null, newValue: value },
      { action: 'brownout.cancel', ...TEST_ORIGIN, oldValue: value, newValue: cancelled },
    ]);
  });

  test('they move with the store, and their ids are not used again', async () => {
    const all = await brownouts.listBrownouts();
    const target = await newUrl();
    {
      await using exported = await backend(url).openExport();
      await backend(target).importAll(exported.records, exported.lastPetId, TEST_ORIGIN);
    }
    await using moved = await backend(target).openForCommand(TEST_ORIGIN);
    expect(await moved.brownouts.listBrownouts()).toEqual(all);
    hours++;
    const { id } = await moved.brownouts.scheduleBrownout(newBrownout());
    expect(id).toBeGreaterThan(Math.max(...all.map((each) => each.id)));
  });
});
