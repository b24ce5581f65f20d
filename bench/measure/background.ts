import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import { commandOf, NEUTRAL_FOLDER, ROOT } from './checkout.ts';
import { keyOf } from './fixture.ts';
import type { StoreSettings } from './lab.ts';
import { sendOnce } from './load.ts';
import { create, get, type PlannedRequest } from './request.ts';
import type { Server } from './server.ts';

/** A service that runs on a large store. */
export interface Target {
  readonly server: Server;
  readonly pets: number;
  /** The settings that choose the store. */
  readonly environment: StoreSettings;
  readonly folder: string;
}

/** Work that operators or the service itself do while the service serves requests. */
export interface Background {
  readonly title: string;
  /** How many milliseconds longer a request may wait with the work than it ever waited without any work. */
  readonly most: number;
  /** The work removes what it needs, so it cannot be measured again. */
  readonly isOnlyOnce?: true;
  isFor(target: Target): boolean;
  /** Prepares the work, before requests are measured. */
  prepare?(target: Target): Promise<void>;
  run(target: Target): Promise<void>;
}

const DAY_MS = 86_400_000;
const UNTIL_SAVED_MS = 3_000;
const BIG_ACCOUNT = 'big';
/** A key that has added this many pets, far apart from each other. */
const [BUSY_KEY, PETS_OF_KEY] = [1, 20_000];

/** How much data a store holds. */
interface Amounts {
  readonly pets: number;
  readonly accounts: number;
  /** How many rows of history one account has. */
  readonly periods: number;
}

/** Adds pets and history to a store that has accounts. */
export async function fillStore(url: string, { pets, periods }: Amounts): Promise<void> {
  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const series = (count: number) =>
    `WITH RECURSIVE series (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM series WHERE n < ${count - 1})`;
  const zeros = '0, 0, 0, 0, 0, 1';
  const hourAgo = `${todayMs} - CAST(n % 1900 AS bigint) * 3600000`;
  const ofKey = (value: number) => `CASE n % ${pets / PETS_OF_KEY} WHEN 0 THEN ${value} END`;
  const columns = `account_id, starts_at, key_id, operation, served, refused_by_minute,
    refused_by_day, refused_by_ban, client_errors, server_errors, busiest_minute, last_at`;
  await run(
    url,
    `INSERT INTO pets (name, category_id, status, added_at, key_id) ${series(pets)}
      SELECT 'Rex ' || n, n % 50, CASE n % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END,
        ${ofKey(todayMs)}, ${ofKey(BUSY_KEY)}
      FROM series`,
    // Every account gets ten days of history.
    `INSERT INTO usage_periods (${columns}) ${series(10)}
      SELECT id, ${todayMs} - n * ${DAY_MS}, id, 'getPet', 10, ${zeros}, ${todayMs} - n * ${DAY_MS}
      FROM accounts, series`,
    `INSERT INTO key_uses (account_id, key_id, last_at) SELECT id, id, ${todayMs} FROM accounts`,
    `INSERT INTO accounts (name, plan, created_at) VALUES ('${BIG_ACCOUNT}', 'free', 0)`,
    // Hourly counts of many keys in the last 80 days. They are too young to be added up to daily counts.
    `INSERT INTO usage_periods (${columns}) ${series(periods)}
      SELECT (SELECT max(id) FROM accounts), ${hourAgo}, n / 1900, 'getPet', 1, ${zeros}, ${hourAgo}
      FROM series`,
  );
}

async function run(url: string, ...statements: string[]): Promise<void> {
  if (url.startsWith('sqlite:')) {
    using database = new Database(url.slice('sqlite:'.length));
    for (const each of statements) database.run(each);
    database.run('PRAGMA wal_checkpoint(TRUNCATE)');
    return;
  }
  await using sql = new SQL(url, { max: 1 });
  for (const each of statements) await sql.unsafe(each);
  await sql`VACUUM (FREEZE, ANALYZE)`;
  await sql`CHECKPOINT`;
}

/** Every kind of work that touches a large part of a store. */
export const BACKGROUND: readonly Background[] = [
  { ...command('store', 'backup', 'FOLDER/backup.db'), isFor: isOnFile },
  command('store', 'export'),
  command('plans', 'preview', 'free'),
  command('accounts', 'list'),
  page('its first page', '/api/history'),
  page('the list of accounts', '/api/accounts?search=account'),
  page('the callers of getPet', '/api/deprecations'),
  page('pets', '/api/pets', '/api/pets?status=sold&cursor=900000'),
  page('the preview of a plan', `/api/accounts/${BIG_ACCOUNT}/plan-preview?plan=free`),
  { ...command('accounts', 'remove', BIG_ACCOUNT, '--yes'), isOnlyOnce: true },
  {
    ...command(
      'pets',
      'remove',
      '--key',
      `${BUSY_KEY}`,
      '--yes',
      '--save',
      'FOLDER/removed.ndjson',
    ),
    isOnlyOnce: true,
  },
  savingOfCounts(),
];

function isOnFile({ environment }: Target): boolean {
  return environment['DATABASE_FILE'] !== undefined;
}

function command(...words: string[]): Background {
  const title = `\`${words.slice(0, 2).join(' ')}\``;
  return {
    title,
    most: 100,
    isFor: () => true,
    async run({ environment, folder }) {
      const given = words.map((word) => word.replace('FOLDER', folder));
      const { exited, stderr } = Bun.spawn(commandOf(ROOT, ...given), {
        cwd: NEUTRAL_FOLDER,
        env: { PATH: Bun.env['PATH'] ?? '', ...environment },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const errors = await new Response(stderr).text();
      if ((await exited) !== 0) throw new Error(`${title}: ${errors}`);
    },
  };
}

function page(title: string, ...paths: string[]): Background {
  return {
    title: `console: ${title}`,
    most: 100,
    isFor: () => true,
    async run({ server }) {
      for (const path of paths) {
        const response = await server.readConsole(path);
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
        await response.arrayBuffer();
      }
    },
  };
}

/**
 * All accounts send a request while another program locks the file of counts. When the lock is released, the
 * counts of all accounts are saved.
 */
function savingOfCounts(): Background {
  let counts: Database | undefined;
  return {
    title: 'saving the counts of all accounts',
    most: 50,
    isFor: isOnFile,
    async prepare({ server, environment }) {
      counts = new Database(`${environment['DATABASE_FILE']}-usage`);
      counts.run('BEGIN IMMEDIATE');
      const accounts = Array.from({ length: server.contender.fixture.busyAccounts }, (_, i) => i);
      await sendOnce(
        server,
        accounts.map((index) => get('/v1/pets/1', keyOf(index + 1))),
      );
    },
    async run() {
      counts?.close();
      await Bun.sleep(UNTIL_SAVED_MS);
    },
  };
}

export type Waits = Readonly<Record<'getPet' | 'createPet', number>>;

/** The longest waits in milliseconds of requests that are sent one after the other. */
export async function longestWaits(
  { server, pets }: Target,
  until: Promise<unknown>,
): Promise<Waits> {
  const longest = async (request: (index: number) => PlannedRequest) =>
    Math.max(...(await waitsOf(server, request, until)));
  const [getPet, createPet] = await Promise.all([
    longest((index) => get(`/v1/pets/${((index * 7_919) % pets) + 1}`)),
    longest((index) => create(index)),
  ]);
  return { getPet, createPet };
}

/** How many milliseconds each request took. The requests are sent one after the other. */
export async function waitsOf(
  server: Server,
  request: (index: number) => PlannedRequest,
  until: Promise<unknown>,
): Promise<number[]> {
  let isOver = false;
  const end = until.finally(() => {
    isOver = true;
  });
  const waits: number[] = [];
  for (let index = 0; !isOver; index++) {
    const startedAtMs = performance.now();
    const response = await server.send(request(index));
    await response.arrayBuffer();
    // A pet that was removed meanwhile returns 404.
    if (!response.ok && response.status !== 404) {
      throw new Error(`A request got the status ${response.status}`);
    }
    waits.push(performance.now() - startedAtMs);
    await Bun.sleep(1);
  }
  await end;
  return waits;
}
