import { SQL } from 'bun';
import { hashSecret } from '../../src/stores/sql/tables.ts';
import type { TestRedis } from '../../test/support/redis.ts';
import { animalStore } from '../contenders/contenders.ts';
import { ROOT } from './checkout.ts';
import { importFixture, keyOf } from './fixture.ts';
import type { Lab } from './lab.ts';
import { prepareLoad } from './load.ts';
import { type Pace, readWindows, SPARE_SECONDS, warmUp } from './pair.ts';
import type { Server } from './server.ts';

/** One load on instances that share PostgreSQL and Redis. */
export interface Run {
  readonly title: string;
  readonly workload: 'ownPet' | 'createPet';
  readonly instances: number;
  /** Accounts, each with one key, and as many pets. */
  readonly accounts: number;
  /** To each instance. */
  readonly connections: number;
}

export const PARTS = ['instances', 'postgres', 'redis'] as const;
export type Part = (typeof PARTS)[number];
export type ByPart<Value> = Readonly<Record<Part, Value>>;

export function byPart<Value>(toValue: (part: Part) => Value): ByPart<Value> {
  return {
    instances: toValue('instances'),
    postgres: toValue('postgres'),
    redis: toValue('redis'),
  };
}

export interface Figures extends Run {
  /** Window by window, of all instances together. */
  readonly requestsPerSecond: readonly number[];
  /** CPU microseconds for each request, window by window. */
  readonly cpuUs: ByPart<readonly number[]>;
}

const KEYS_PER_STATEMENT = 50_000;
const COUNTS_PER_SCRIPT = 20_000;

/** Makes a store in PostgreSQL and returns its URL. */
export async function newStore(lab: Lab, accounts: number): Promise<string> {
  const { postgres } = await lab.servers();
  const url = await postgres.newDatabase();
  importFixture(ROOT, url, { pets: 1, busyAccounts: 1, spentAccounts: 0 });
  await using sql = new SQL(url, { max: 1 });
  await copyFirst(sql, accounts);
  return url;
}

/** An import of a million accounts takes minutes. Here only the hashes of their keys are sent. */
async function copyFirst(sql: SQL, accounts: number): Promise<void> {
  // Without a check of each reference.
  await sql`SET session_replication_role = replica`;
  await sql`INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at)
    SELECT copy, 'account-' || copy, plan, per_minute, per_day, created_at
    FROM accounts, generate_series(2, ${accounts}::integer) AS copy`;
  await sql`INSERT INTO pets (name, category_id, status)
    SELECT 'Rex ' || copy, category_id, status
    FROM pets, generate_series(2, ${accounts}::integer) AS copy`;
  for (let first = 2; first <= accounts; first += KEYS_PER_STATEMENT) {
    const count = Math.min(KEYS_PER_STATEMENT, accounts - first + 1);
    const hashes = Array.from({ length: count }, (_, place) => hashSecret(keyOf(first + place)));
    await sql`INSERT INTO api_keys (id, account_id, hash, label, created_at)
      SELECT ${first}::integer + place, ${first}::integer + place,
        substring(${Buffer.concat(hashes)}::bytea FROM 32 * place + 1 FOR 32), '', 0
      FROM generate_series(0, ${count}::integer - 1) AS place`;
  }
  // Else PostgreSQL does this under the load.
  await sql`VACUUM (FREEZE, ANALYZE)`;
  await sql`CHECKPOINT`;
}

/** Starts instances on a store, and measures them under one load after the other. */
export async function measureRuns(
  lab: Lab,
  url: string,
  runs: readonly Run[],
  pace: Pace,
): Promise<Figures[]> {
  const [{ instances, accounts }] = runs as [Run];
  const { redis } = await lab.servers();
  await redis.send('FLUSHALL');
  const contender = animalStore('instance', 'Animal Store', {
    fixture: { pets: accounts, busyAccounts: accounts },
  });
  const settings = { DATABASE_URL: url, REDIS_URL: redis.url, INSTANCES: String(instances) };
  await using started = new AsyncDisposableStack();
  const servers: Server[] = [];
  while (servers.length < instances) {
    servers.push(started.use(await lab.start(contender, '', settings)));
  }
  await countEveryAccount(redis, accounts);
  const figures: Figures[] = [];
  for (const run of runs) figures.push(await measureRun(lab, servers, run, pace));
  return figures;
}

/** Copies the counts of account 1 in Redis to all accounts, as if each had sent a request. */
async function countEveryAccount(redis: TestRedis, accounts: number): Promise<void> {
  const [name] = (await redis.send('KEYS', '*{account:1}:usage')) as [string];
  const script = `
    local counts, milliseconds = redis.call('DUMP', KEYS[1]), redis.call('PTTL', KEYS[1])
    for account = ARGV[1], ARGV[2] do
      local copy = KEYS[1]:gsub('{account:1}', ('{account:%d}'):format(account))
      redis.call('RESTORE', copy, milliseconds, counts)
    end`;
  // One script for all would block Redis for so long that the instances do without it.
  for (let first = 2; first <= accounts; first += COUNTS_PER_SCRIPT) {
    const last = Math.min(first + COUNTS_PER_SCRIPT - 1, accounts);
    await redis.send('EVAL', script, '1', name, String(first), String(last));
  }
}

async function measureRun(
  lab: Lab,
  servers: readonly Server[],
  run: Run,
  pace: Pace,
): Promise<Figures> {
  const { workload, connections } = run;
  const { postgres, redis } = await lab.servers();
  // All instances share one core, so their code is compiled later.
  const warmUpSeconds = (pace.warmUpSeconds ?? 1) * servers.length;
  const seconds = warmUpSeconds + pace.windows * pace.windowSeconds + SPARE_SECONDS;
  const starts = await Promise.all(
    servers.map((server) => prepareLoad(server, workload, connections)),
  );
  const loads = starts.map((start) => start(seconds));
  const pids = {
    instances: servers.map(({ pid }) => pid),
    postgres: [postgres.pid],
    redis: [redis.pid],
  };
  const groups = PARTS.map((part) => pids[part]);
  const reading = warmUp(loads, warmUpSeconds).then(() => readWindows(loads, groups, pace));
  const [windows] = await Promise.all([reading, ...loads.map(({ p99Us }) => p99Us)]);
  return {
    ...run,
    requestsPerSecond: windows.map(({ requests }) => requests / pace.windowSeconds),
    cpuUs: byPart((part) => windows.map(({ cpuUs }) => cpuUs[PARTS.indexOf(part)] as number)),
  };
}

/** The versions of PostgreSQL and Redis. */
export async function versionsOf(lab: Lab): Promise<string> {
  const { postgres, redis } = await lab.servers();
  await using sql = new SQL(postgres.url, { max: 1 });
  const [{ server_version }] = await sql`SHOW server_version`;
  const information = String(await redis.send('INFO', 'server'));
  const version = /redis_version:(\S+)/.exec(information)?.[1];
  return `PostgreSQL ${server_version.split(' ')[0]}, Redis ${version}`;
}
