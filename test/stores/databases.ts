import { Database } from 'bun:sqlite';
import { afterAll } from 'bun:test';
import type { SQL } from 'bun';
import type { Store } from '#domain/backend.ts';
import type { IdempotencyKey } from '#domain/idempotency-key.ts';
import { mintSecret } from '#domain/key-secret.ts';
import type { HistoryFilter } from '#domain/operator/history.ts';
import type { NewPet } from '#domain/pet.ts';
import { PLANS } from '#domain/plan.ts';
import { platform } from '#platform.ts';
import { connectTo, newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { backend, TEST_ORIGIN } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { rejection } from '../support/time.ts';

export const NOW_MS = Date.UTC(2026, 10, 15);
export const REX = { name: 'Rex', categoryId: 1n, status: 'available' } as const satisfies Record<
  keyof NewPet,
  unknown
>;

export interface TestDatabase {
  readonly isFile: boolean;
  /** The URL of a new, empty store. */
  create(): Promise<string>;
  /** Runs a statement as another program would. */
  query(url: string, sql: string): Promise<unknown[]>;
  /** A query for the `text` of each part of the schema. A disabled or unchecked part says so. */
  readonly parts: string;
}

/** Both databases by name, or only SQLite where PostgreSQL is missing. */
export function testDatabases(): [string, TestDatabase][] {
  const sqlite: TestDatabase = {
    isFile: true,
    create: async () => newFile().url,
    async query(url, sql) {
      using file = new Database(pathOf(url));
      return file.query(sql).all();
    },
    parts: 'SELECT sql AS text FROM sqlite_schema WHERE sql NOT NULL',
  };
  const postgres: TestDatabase = {
    isFile: false,
    create: newPostgresDatabase,
    async query(url, text) {
      await using sql = connectTo(url);
      return await sql.unsafe(text);
    },
    parts: `SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS text
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION ALL SELECT tgrelid::regclass || ' TRIGGER ' || tgfoid::regproc ||
        CASE tgenabled WHEN 'O' THEN '' ELSE ' NOT VALID' END FROM pg_trigger
      UNION ALL SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable)
        FROM information_schema.columns WHERE table_schema = 'public'
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
  };
  return lacks('postgres')
    ? [['SQLite', sqlite]]
    : [
        ['SQLite', sqlite],
        ['PostgreSQL', postgres],
      ];
}

/** Each database with an open store, which closes after the tests of the file. */
export function openStores(now?: () => number) {
  const opened = testDatabases().map(async ([name, database]) => {
    const url = await database.create();
    const store = await backend(url, 10, now).openStore();
    afterAll(() => store[Symbol.asyncDispose]());
    return [name, { ...database, url, store }] as const;
  });
  return Promise.all(opened);
}

export function pathOf(url: string): string {
  return url.slice('sqlite:'.length);
}

export function newSecret(): string {
  return mintSecret(platform.randomBytes);
}

/** Creates an account on the Free plan, with a first key if there is a secret. */
export function addAccount({ accounts }: Pick<Store, 'accounts'>, name: string, secret?: string) {
  const firstKey = secret === undefined ? secret : { label: 'first', secret, expiresAtMs: null };
  return accounts.createAccount({ name, plan: 'free', limits: PLANS.free.limits, firstKey });
}

/** Returns the usage history, by default all of it. */
export function readHistory({ forOperator }: Store, filter: Partial<HistoryFilter> = {}) {
  return Array.fromAsync(forOperator(TEST_ORIGIN).history.read({ sinceMs: 0, ...filter }));
}

/** An idempotency key, always of the same request. */
export function once(accountId: number, key: string, offsetMs = 0): IdempotencyKey {
  return { accountId, key, fingerprint: 'f', offsetMs };
}

/** The reason of a `StoreUnavailableError`. */
export async function causeOf(attempt: Promise<unknown>): Promise<string> {
  return `${((await rejection(attempt)) as Error).cause}`;
}

export async function messageOf(attempt: Promise<unknown>): Promise<string> {
  return ((await rejection(attempt)) as Error).message;
}

/** Returns a function that tells whether this many statements wait for a lock. */
export const areWaiting = (sql: SQL, count: number) => async () => {
  const waiting = await sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return waiting.length === count;
};

/** New connections to this database get this setting. */
export async function setForDatabase(sql: SQL, url: string, setting: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await sql.unsafe(`ALTER DATABASE ${name} SET synchronous_commit = ${setting}`);
}

/** Records the setting that each commit is about to use, and the one that the server has by then. */
export async function recordCommits(sql: SQL): Promise<void> {
  await sql.unsafe(`CREATE TABLE commits (used text, server text);
    CREATE FUNCTION record_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO commits SELECT setting, reset_val FROM pg_settings WHERE name = 'synchronous_commit';
      RETURN NULL;
    END $$`);
  for (const table of ['pets', 'audit']) {
    await sql.unsafe(`CREATE CONSTRAINT TRIGGER recorded AFTER INSERT OR UPDATE OR DELETE ON ${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION record_commit()`);
  }
}
