import { SQL } from 'bun';
import { type Backend, type BackendOptions, BEFORE_RESTORE, type Store } from '#domain/backend.ts';
import { NO_JOURNAL } from '#domain/counts-journal.ts';
import { MINUTE_MS } from '#domain/durations.ts';
import { OperatorError, StoreUnavailableError } from '#domain/error.ts';
import { type Origin, SERVICE } from '#domain/operator/audit.ts';
import { UNREACHABLE, withoutBrackets } from '#formats/server-url.ts';
import { quoted } from '#formats/shell-text.ts';
import { operatorStore } from '#stores/sql/operator-store.ts';
import { importStore } from '#stores/sql/transfer.ts';
import { requireCurrent } from '#stores/sql/version.ts';
import { withDeadline } from '#timing/deadline.ts';
import { sampled } from '#timing/sampled.ts';
import { SERVER_ERROR } from './connections.ts';
import { countApplied, MIGRATIONS, migrateServer } from './migrate.ts';
import { Pool, type PoolOptions } from './pool.ts';
import { hostUrls, withoutPassword } from './postgres-url.ts';
import {
  postgresHistoryWriter,
  postgresKeyFinder,
  postgresPetStore,
  postgresRevision,
} from './requests.ts';
import { postgresSql } from './sql.ts';

const SELECT_SIZE = 'SELECT pg_database_size(current_database()) AS bytes';

const DEFAULT_PORT = 5432;
const CONNECT_MS = 2_000;

type OpenOptions = BackendOptions & PoolOptions;

export function postgresAt(options: BackendOptions): Backend {
  const description = withoutPassword(options.url);
  const forCommand = { ...options, connections: 1 };
  return {
    name: 'postgresql',
    description,
    openStore: (onCommit, onWarning) => openStore({ ...options, onWarning }, onCommit),
    async openForCommand() {
      // A command neither creates nor migrates the schema.
      const pool = await open(forCommand, async ({ shared }) => {
        const version = await shared.ask(countApplied);
        requireCurrent({ version, known: MIGRATIONS.length, store: description });
      });
      return operatorStore(postgresSql(pool), options);
    },
    async importAll(batches, lastIds) {
      await using database = postgresSql(await openPool(forCommand));
      await importStore(database, batches, lastIds, options);
    },
    // The URL in these commands has no password, for which the tools ask.
    backups: {
      kind: 'tools',
      howToBackup: (file) =>
        'The store is a PostgreSQL database. Back it up with pg_dump:\n' +
        `  pg_dump --format=custom --file=${quoted(file)} ${quoted(description)}`,
      howToRestore: (file) =>
        `The store is a PostgreSQL database. ${BEFORE_RESTORE} ` +
        'Stop all instances, then restore it with pg_restore:\n' +
        `  pg_restore --clean --if-exists --no-owner --single-transaction --dbname=${quoted(description)} ${quoted(file)}`,
    },
  };
}

async function openStore(
  options: OpenOptions,
  onCommit?: (creations: number) => void,
): Promise<Store> {
  const { now, elapsed } = options;
  const pool = await openPool(options);
  await pool.watch();
  const database = postgresSql(pool);
  const forOperator = (origin: Origin) => operatorStore(database, { origin, now });
  const { accounts, environment, history } = forOperator(SERVICE);
  const revision = postgresRevision(pool, elapsed);
  return {
    keys: postgresKeyFinder(pool),
    pets: postgresPetStore(pool, onCommit),
    accounts,
    revision,
    journal: NO_JOURNAL,
    history: { ...history, ...postgresHistoryWriter(pool) },
    environment,
    forOperator,
    isAlive: () => true,
    // The size is read rarely, because the server looks at every file of the database to find it.
    sizeBytes: sampled(
      async () => Number((await pool.query<{ bytes: bigint }>(SELECT_SIZE))[0]?.bytes),
      MINUTE_MS,
      elapsed,
    ),
    pools: () => pool.loads(),
    isReady: () => pool.isReady(),
    async [Symbol.asyncDispose]() {
      revision[Symbol.dispose]();
      await pool[Symbol.asyncDispose]();
    },
  };
}

/** Connects, checks that the server is safe to store in, and migrates the schema. */
function openPool(options: OpenOptions): Promise<Pool> {
  return open(options, (pool) => migrateServer(pool.shared.sql));
}

async function open(
  options: OpenOptions,
  prepareSchema: (pool: Pool) => Promise<void>,
): Promise<Pool> {
  try {
    await using opening = new AsyncDisposableStack();
    const pool = opening.use(new Pool(options));
    await pool.findPrimary();
    await pool.shared.ask(requireSafe);
    await prepareSchema(pool);
    opening.move();
    return pool;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    throw await cannotUse(options, errors);
  }
}

/** Refuses a server that could lose a confirmed pet, or could not store every name. */
async function requireSafe(sql: SQL): Promise<void> {
  for (const [setting, right] of [
    ['fsync', 'on'],
    ['server_encoding', 'UTF8'],
  ]) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (row.value === right) continue;
    throw new OperatorError(
      `The PostgreSQL server has ${setting}=${row.value}, which is not safe. Set it to ${right}.`,
    );
  }
}

/** An error of one line about servers that cannot be used, with the reason for each and the next step. */
async function cannotUse({ url, setting }: OpenOptions, errors: unknown[]): Promise<OperatorError> {
  const urls = hostUrls(url);
  const reasonOf = async (error: unknown, index: number) => {
    const cause = (error instanceof StoreUnavailableError ? error.cause : error) as Error;
    const isSilent = cause instanceof SQL.PostgresError && cause.code !== SERVER_ERROR;
    return (isSilent && (await whyUnreachable(urls[index] as string))) || cause.message;
  };
  const reason = (await Promise.all(errors.map(reasonOf))).join('; ');
  const advice = reason.includes('certificate')
    ? `Set NODE_EXTRA_CA_CERTS to the certificate of its CA, or check ${setting}.`
    : `Check the server and ${setting}.`;
  return new OperatorError(`Cannot use ${withoutPassword(url)}: ${reason}. ${advice}`);
}

/** Connects once more, because the driver does not report why a server cannot be reached. */
async function whyUnreachable(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const connecting = Bun.connect({
    hostname: withoutBrackets(hostname),
    port: Number(port) || DEFAULT_PORT,
    socket: { data() {}, error() {} },
  });
  const late = () => Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
  try {
    (await withDeadline(CONNECT_MS, connecting, late)).end();
    return undefined;
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    return UNREACHABLE[code] ?? message;
  }
}
