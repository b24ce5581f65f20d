import { SQL } from 'bun';
import type { BackendOptions, PoolLoad } from '#domain/backend.ts';
import { MINUTE_MS } from '#domain/durations.ts';
import { OperatorError, StoreUnavailableError } from '#domain/error.ts';
import { UNREACHABLE, withoutBrackets } from '#formats/server-url.ts';
import { requireCurrent } from '#stores/sql/version.ts';
import { withDeadline } from '#timing/deadline.ts';
import { openConnections, STATEMENT_PART } from './connections.ts';
import { countApplied, MIGRATIONS, migrateServer } from './migrate.ts';

const DEFAULT_PORT = 5432;
const CONNECT_MS = 2_000;

/** The code that the driver gives to an error which the server sent. */
const SERVER_ERROR = 'ERR_POSTGRES_SERVER_ERROR';

/**
 * A request makes two queries, one for its key and one for its pets. Each may take this part of the request's
 * time limit. The rest is for Redis.
 */
const PART_OF_REQUEST = 0.4;

/** The time limit of a report, which may read the history of all accounts. */
const REPORT_MS = MINUTE_MS;

type PoolOptions = Pick<BackendOptions, 'url' | 'connections' | 'timeoutMs'>;
type Connections = ReturnType<typeof openConnections>;

/**
 * The connections of an instance. Writes of requests have a separate one, so that reads continue while a commit
 * waits for a standby. Reports have another one, so that requests do not wait for them. The first report opens it.
 */
export class Pool implements AsyncDisposable {
  /** A query that takes longer is given up. */
  readonly queryMs: number;
  /** For everything but reports and the writes of requests. */
  readonly shared: Connections;
  readonly #writer: Connections;
  readonly #reporter: Connections;

  constructor({ url, connections, timeoutMs }: PoolOptions) {
    this.queryMs = timeoutMs * PART_OF_REQUEST;
    // Another server may be the primary by now, and reads from the old one would miss new pets. So if one group
    // of connections is replaced, all are. The group that was replaced first has no open connection yet, so
    // replacing it again does no harm.
    const onReplaced = () => {
      for (const each of this.#all) each.renew();
    };
    const options = { url, timeoutMs: this.queryMs, onReplaced };
    this.shared = openConnections({ ...options, max: connections });
    this.#writer = openConnections({ ...options, max: 1 });
    this.#reporter = openConnections({ ...options, max: 1, timeoutMs: REPORT_MS });
  }

  get #all(): Connections[] {
    return [this.shared, this.#writer, this.#reporter];
  }

  /** Runs one statement with values for `$1`, `$2` and so on, and returns its rows. */
  query<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    return this.shared.ask((sql) => sql.unsafe<Row[]>(statement, values));
  }

  /** Like `query`, for a statement that takes longer than a request may. */
  report<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    return this.#reporter.ask((sql) =>
      sql.begin(async (transaction) => {
        // A pooler may give all connections the time limit of a request.
        await transaction.unsafe(`SET LOCAL statement_timeout = ${REPORT_MS * STATEMENT_PART}`);
        return await transaction.unsafe<Row[]>(statement, values);
      }),
    );
  }

  /**
   * Like `query`, for a statement that writes for a request. Resolves once neither a power cut nor a failover to
   * a synchronous standby can undo the write. The statement must return a row if it writes or confirms
   * anything, and must not begin with WITH.
   */
  async write<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    // The commit of a transaction that has written nothing does not wait for a standby, and a replay writes
    // nothing. But the pet that a replay confirms may be on this server only, if the server was restarted while
    // the creation waited for the standby. So every write adds a message to the log, which nobody reads.
    const durably = `WITH written AS (${statement}) SELECT written.*
      FROM written, commit_durably(), pg_logical_emit_message(true, 'animal-store', '')`;
    try {
      return await this.#writer.ask((sql) => sql.unsafe<Row[]>(durably, values));
    } catch (error) {
      // The server may have become read-only, or be an old primary that can no longer finish the commit.
      if (error instanceof StoreUnavailableError) this.#writer.probe();
      throw error;
    }
  }

  loads(): PoolLoad[] {
    return [
      { pool: 'shared', ...this.shared.load },
      { pool: 'creations', ...this.#writer.load },
    ];
  }

  /**
   * The server is a primary, and would keep what is written in a power cut. Creations that wait for a standby do
   * not count: reads continue, but would not if every instance were taken out of service.
   */
  async isReady(): Promise<boolean> {
    const [{ isWritable, isSafe }] = await this.shared.ask(
      (sql) => sql`SELECT current_setting('transaction_read_only') = 'off' AS "isWritable",
        current_setting('fsync') = 'on' AS "isSafe"`,
    );
    if (!isWritable) this.shared.probe();
    return isWritable && isSafe;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#all.map((each) => each[Symbol.asyncDispose]()));
  }
}

/** Connects, checks that the server is safe to store in, and migrates the schema. */
export function openPool(options: BackendOptions): Promise<Pool> {
  return open(options, (pool) => migrateServer(pool.shared.sql));
}

/** Connects for a command, which neither creates nor migrates the schema. */
export function openExistingPool(options: BackendOptions): Promise<Pool> {
  return open(options, async (pool) => {
    const version = await pool.shared.ask(countApplied);
    const store = withoutPassword(options.url);
    requireCurrent({ version, known: MIGRATIONS.length, store });
  });
}

async function open(
  options: BackendOptions,
  prepareSchema: (pool: Pool) => Promise<void>,
): Promise<Pool> {
  try {
    await using opening = new AsyncDisposableStack();
    const pool = opening.use(new Pool(options));
    await pool.shared.ask(requireSafe);
    await prepareSchema(pool);
    opening.move();
    return pool;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const cause = error instanceof StoreUnavailableError ? error.cause : error;
    throw await cannotUseServer(options, cause as Error);
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

/** The URL in a form that may be shown to the operator. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  shown.searchParams.delete('password');
  return shown.href;
}

/** An error of one line about a server that cannot be used, with the reason and the next step. */
export async function cannotUseServer(
  { url, setting }: BackendOptions,
  error: Error,
): Promise<OperatorError> {
  const { message } = error;
  const isSilent = error instanceof SQL.PostgresError && error.code !== SERVER_ERROR;
  const reason = (isSilent && (await whyUnreachable(url))) || message;
  const advice = message.includes('certificate')
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
