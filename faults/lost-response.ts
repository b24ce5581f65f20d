import { statSync } from 'node:fs';
import { SQL } from 'bun';
import { FlakyProxy } from '../test/faults/flaky-proxy.ts';
import { makeKey, type Serving, serve } from '../test/support/command.ts';
import { type ApiCaller, apiCaller } from '../test/support/http.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { requireProgram } from '../test/support/programs.ts';
import type { Settings } from '../test/support/store.ts';
import { newFile } from '../test/support/temporary-folder.ts';
import { eventually } from '../test/support/time.ts';
import { atLeast, type Fault, type Finding, none, type Trial } from './fault.ts';

const KEYS_PER_KILL = 30;
const MAX_ADDITIONAL_KEYS = 600;
/** How long the store delays the result of a commit, so that kills fall into this time. */
const HELD_BACK_MS = 300;
const PAUSE_MS = 50;
const MAX_ATTEMPTS = 10;
/** On a busy machine, a start may wait for a server that has just started. */
const PATIENT = { STORE_TIMEOUT_SECONDS: '60' };

/** A store that can be slow to report a commit. */
interface SlowStore {
  /** The settings of the services that get the retries. */
  readonly settings: Settings;
  /** Starts a service that gets the results of its commits late. */
  serveSlowly(): Promise<Serving>;
  /** A value that changes with a commit, before the service gets its result. */
  state(): Promise<string> | string;
}

interface Created {
  readonly id: number;
  readonly isReplayed: boolean;
}

/** Returns undefined if the pet was not confirmed, because the response was lost or the store was busy. */
async function create({ add }: ApiCaller, key: string): Promise<Created | undefined> {
  const response = await add(key, key).catch(() => undefined);
  if (response === undefined || response.status === 503) return undefined;
  if (response.status !== 201) throw new Error(`A creation got ${response.status}`);
  const pet = (await response.json().catch(() => undefined)) as { id: number } | undefined;
  return pet && { id: pet.id, isReplayed: response.headers.has('Idempotent-Replayed') };
}

async function createUntilConfirmed(caller: ApiCaller, key: string): Promise<Created> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const created = await create(caller, key);
    if (created !== undefined) return created;
  }
  throw new Error(`${key} got no confirmation`);
}

/** Kills the service while creations are in flight, and repeats each creation with its idempotency key. */
async function loseResponses(
  { amount, random }: Trial,
  { settings, serveSlowly, state }: SlowStore,
): Promise<readonly Finding[]> {
  const { secret } = await makeKey(settings, 'writer');
  const idsByKey = new Map<string, Set<number>>();
  let committedUnconfirmed = 0;
  const keys: string[] = [];
  // On a busy machine, each of a few kills may come before its commit.
  const isEnough = () => keys.length >= amount && committedUnconfirmed > 0;
  for (let kill = 0; !isEnough() && kill * KEYS_PER_KILL < amount + MAX_ADDITIONAL_KEYS; kill++) {
    const count = Math.min(KEYS_PER_KILL, amount);
    const inFlight = Array.from({ length: count }, (_, index) => `key-${kill}-${index}`);
    keys.push(...inFlight);
    const unconfirmed = new Set(inFlight);
    const record = (key: string, created: Created | undefined) => {
      if (created === undefined) return;
      idsByKey.getOrInsertComputed(key, () => new Set()).add(created.id);
      unconfirmed.delete(key);
    };
    {
      await using service = await serveSlowly();
      const caller = apiCaller(service.started.api, secret);
      // The first commit also writes other things, such as the head of the log.
      await create(caller, `before-${kill}`);
      const before = await state();
      // Requests that wait for a paused service share a commit.
      service.kill('SIGSTOP');
      const sentKeys = inFlight.flatMap((key) => (random() < 0.5 ? [key, key] : [key]));
      const sent = sentKeys.map(async (key) => record(key, await create(caller, key)));
      await Bun.sleep(PAUSE_MS);
      service.kill('SIGCONT');
      // Some kills come before the commit.
      if (kill === 0 || random() < 3 / 4) await eventually(async () => (await state()) !== before);
      await Bun.sleep((random() * HELD_BACK_MS) / 4);
      service.kill('SIGKILL');
      await Promise.all(sent);
    }
    await using service = await serve(settings);
    const caller = apiCaller(service.started.api, secret);
    const retry = async (key: string) => {
      const wasUnconfirmed = unconfirmed.has(key);
      const confirm = () => createUntilConfirmed(caller, key);
      const both = await Promise.all([confirm(), confirm()]);
      for (const created of [...both, await confirm()]) record(key, created);
      // Neither of them created the pet, so it existed before.
      if (wasUnconfirmed && both.every(({ isReplayed }) => isReplayed)) committedUnconfirmed++;
    };
    await Promise.all(inFlight.map(retry));
  }
  const pets = new Map<string, number>();
  await using service = await serve(settings);
  for await (const { name } of apiCaller(service.started.api, secret).petsAfter(0)) {
    pets.set(name, (pets.get(name) ?? 0) + 1);
  }
  return [
    none('pets added twice', keys.filter((key) => (pets.get(key) ?? 0) > 1).length),
    none('pets lost', keys.filter((key) => !pets.has(key)).length),
    none(
      'idempotency keys without exactly one id',
      keys.filter((key) => idsByKey.get(key)?.size !== 1).length,
    ),
    atLeast(1, 'pets committed before the kill whose response was lost', committedUnconfirmed),
  ];
}

export const lostResponseOnSqlite: Fault = {
  name: 'lost-response',
  title:
    'Service killed between commit and response; clients retry with the same `Idempotency-Key`, on SQLite',
  unit: 'keys',
  amounts: { full: 1_000, short: 15 },
  async run(trial) {
    const { path, settings } = newFile();
    const inject = `inject=fsync,fdatasync:delay_exit=${HELD_BACK_MS * 1_000}`;
    // -D makes strace the child, so that signals reach the service.
    const slow = [requireProgram('strace'), '-D', '-f', '-o', '/dev/null', '-P', `${path}-wal`];
    return await loseResponses(trial, {
      settings,
      serveSlowly: () => serve(settings, (words) => [...slow, '-e', inject, ...words]),
      state() {
        const { size, mtimeMs } = statSync(`${path}-wal`);
        return `${size} ${mtimeMs}`;
      },
    });
  },
};

export const lostResponseOnPostgres: Fault = {
  name: 'lost-response-postgres',
  title:
    'Service killed between commit and response; clients retry with the same `Idempotency-Key`, on PostgreSQL',
  unit: 'keys',
  amounts: { full: 300, short: 15 },
  async run(trial) {
    await using server = await TestPostgres.start();
    const url = await server.newDatabase();
    let isSlow = false;
    await using proxy = await FlakyProxy.start(new URL(url), {
      delayMs: () => (isSlow ? HELD_BACK_MS : 0),
    });
    await using sql = new SQL(url, { max: 1 });
    return await loseResponses(trial, {
      settings: { DATABASE_URL: url, ...PATIENT },
      async serveSlowly() {
        isSlow = false;
        const service = await serve({ DATABASE_URL: proxy.url, ...PATIENT });
        isSlow = true;
        return service;
      },
      async state() {
        const [{ count }] = await sql`SELECT count(*) AS count FROM pets`;
        return String(count);
      },
    });
  },
};
