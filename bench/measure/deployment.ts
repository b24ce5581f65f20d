import { SQL } from 'bun';
import { hashSecret } from '../../src/stores/sql/sql.ts';
import { freePort } from '../../test/support/programs.ts';
import { TestRedis } from '../../test/support/redis.ts';
import { eventually } from '../../test/support/time.ts';
import { animalStore } from '../contenders/contenders.ts';
import { ROOT } from './checkout.ts';
import { importFixture, keyOf } from './fixture.ts';
import type { Lab } from './lab.ts';
import { prepareLoad } from './load.ts';
import type { Server } from './server.ts';
import { median, percent, spread } from './statistics.ts';
import { Meter, type Pace, paceOf, readWindows, warmUp } from './windows.ts';

/** A load on instances that share PostgreSQL and Redis. */
export interface Run {
  readonly title: string;
  /** Why the CPU time differs from that of the first run, if it does. */
  readonly why: string;
  readonly workload: 'ownPet' | 'createPet';
  readonly instances: number;
  /** The number of accounts. Each has one key, and the store has the same number of pets. */
  readonly accounts: number;
  /** The number of connections to each instance. */
  readonly connections: number;
  /** True if Redis is a cluster with a single master. */
  readonly isCluster?: boolean;
}

export const PARTS = ['instances', 'postgres', 'redis'] as const;
export type Part = (typeof PARTS)[number];

export interface Figures {
  readonly run: Run;
  /** The requests a second of all instances together. */
  readonly requestsPerSecond: number;
  /** CPU microseconds for each request, window by window. */
  readonly cpuUs: Readonly<Record<Part, readonly number[]>>;
}

/** CPU times below this do not matter. They vary most, so their spread is ignored. */
const MIN_RELEVANT_US = 10;

/** The largest spread of the CPU times of the three parts. */
export function spreadOf(cpuUs: Figures['cpuUs']): number {
  const times = PARTS.map((part) => cpuUs[part]).filter((each) => median(each) >= MIN_RELEVANT_US);
  return Math.max(...times.map(spread));
}

const KEYS_PER_STATEMENT = 50_000;
const COUNTS_PER_SCRIPT = 20_000;

/** Makes a store in PostgreSQL and returns its URL. */
export async function newStore(lab: Lab, accounts: number): Promise<string> {
  const { postgres } = await lab.servers();
  const url = await postgres.newDatabase();
  importFixture(ROOT, url, { pets: 1, busyAccounts: 1, spentAccounts: 0 });
  await using sql = new SQL(url, { max: 1 });
  await copyFirstAccount(sql, accounts);
  return url;
}

/**
 * Importing a million accounts would take minutes. This copies the first account inside PostgreSQL instead, and sends
 * only the hashes of the keys.
 */
async function copyFirstAccount(sql: SQL, accounts: number): Promise<void> {
  // Otherwise PostgreSQL would check the foreign keys of every row.
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
    await sql`INSERT INTO api_keys (id, account_id, hash, last_four, label, created_at)
      SELECT ${first}::integer + place, ${first}::integer + place,
        substring(${Buffer.concat(hashes)}::bytea FROM 32 * place + 1 FOR 32),
        last_four, label, created_at
      FROM api_keys, generate_series(0, ${count}::integer - 1) AS place WHERE id = 1`;
  }
  // Otherwise PostgreSQL would do this work in the background, during the measurement.
  await sql`VACUUM (FREEZE, ANALYZE)`;
  await sql`CHECKPOINT`;
}

/** Starts instances on a store, and measures them under each load in turn. */
export async function measureRuns(
  lab: Lab,
  url: string,
  runs: readonly Run[],
  pace: Pace,
): Promise<Figures[]> {
  const [{ instances, accounts, isCluster }] = runs as [Run];
  await using started = new AsyncDisposableStack();
  const redis = isCluster ? started.use(await startCluster()) : (await lab.servers()).redis;
  const redisUrl = isCluster ? redis.url.replace('redis:', 'redis+cluster:') : redis.url;
  await redis.send('FLUSHALL');
  const contender = animalStore('instance', 'Animal Store', {
    fixture: { pets: accounts, busyAccounts: accounts },
  });
  const settings = { DATABASE_URL: url, REDIS_URL: redisUrl, INSTANCES: String(instances) };
  const servers: Server[] = [];
  while (servers.length < instances) {
    servers.push(started.use(await lab.start(contender, '', settings)));
  }
  await countEveryAccount(redis, accounts);
  const figures: Figures[] = [];
  for (const [index, run] of runs.entries()) {
    const { warmUpSeconds, ...others } = paceOf(index, pace);
    // All instances share one core, so compiling their code takes longer.
    const measured = await measureRun(lab, redis, servers, run, {
      ...others,
      warmUpSeconds: warmUpSeconds * instances,
    });
    figures.push(measured);
    const { length } = measured.cpuUs.instances;
    console.error(`${run.title}: ${percent(spreadOf(measured.cpuUs))} in ${length} windows`);
  }
  return figures;
}

/** Copies the counts of account 1 in Redis to all accounts, as if each had sent a request. */
async function countEveryAccount(redis: TestRedis, accounts: number): Promise<void> {
  const [name] = (await redis.send('KEYS', '*{account:1}')) as [string];
  const script = `
    local counts, milliseconds = redis.call('DUMP', KEYS[1]), redis.call('PTTL', KEYS[1])
    for account = ARGV[1], ARGV[2] do
      local copy = KEYS[1]:gsub('{account:1}', ('{account:%d}'):format(account))
      redis.call('RESTORE', copy, milliseconds, counts)
    end`;
  // A single script for all accounts would block Redis for so long that the instances would treat it as unavailable.
  for (let first = 2; first <= accounts; first += COUNTS_PER_SCRIPT) {
    const last = Math.min(first + COUNTS_PER_SCRIPT - 1, accounts);
    await redis.send('EVAL', script, '1', name, String(first), String(last));
  }
}

async function startCluster(): Promise<TestRedis> {
  const options = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
  const redis = await TestRedis.start(...options);
  await redis.send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await eventually(async () => String(await redis.send('CLUSTER', 'INFO')).includes('state:ok'));
  return redis;
}

async function measureRun(
  lab: Lab,
  redis: TestRedis,
  servers: readonly Server[],
  run: Run,
  pace: Pace,
): Promise<Figures> {
  const { postgres } = await lab.servers();
  const starts = await Promise.all(
    servers.map((server) => prepareLoad(server, run.workload, run.connections)),
  );
  using started = new DisposableStack();
  const loads = starts.map((start) => started.use(start()));
  await warmUp(loads, pace.warmUpSeconds);
  const pids = servers.map(({ pid }) => pid);
  const meters = [pids, [postgres.pid], [redis.pid]].map((group) => new Meter(group, loads));
  const [ofInstances, ofPostgres, ofRedis] = meters as [Meter, Meter, Meter];
  const cpuUs = {
    instances: ofInstances.cpuUs,
    postgres: ofPostgres.cpuUs,
    redis: ofRedis.cpuUs,
  };
  await readWindows(meters, pace, () => spreadOf(cpuUs));
  await Promise.all(loads.map((load) => load.end()));
  return { run, cpuUs, requestsPerSecond: median(ofInstances.requests) / pace.windowSeconds };
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
