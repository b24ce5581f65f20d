import type { BackendOptions, PoolLoad } from '#domain/backend.ts';
import { MINUTE_MS } from '#domain/durations.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import { Connections, STATEMENT_PART } from './connections.ts';
import { Fence, isOlder, type ServerState, timelineOf } from './fence.ts';
import { hostUrls } from './postgres-url.ts';

/**
 * A request makes two queries, one for its key and one for its pets. Each may take this part of the request's
 * time limit. The rest is for Redis.
 */
const PART_OF_REQUEST = 0.4;

/** The time limit of a report, which may read the history of all accounts. */
const REPORT_MS = MINUTE_MS;

/** The time limit of a probe for each server. */
const PROBE_MS = 3_000;
const PROBE_PAUSE_MS = 1_000;
const WATCH_MS = 1_000;
/** An old primary may run on, and even accept writes. So an instance with several hosts looks for a newer one this often. */
const LOOK_MS = 3_000;

export interface PoolOptions extends Pick<BackendOptions, 'url' | 'connections' | 'timeoutMs'> {
  /** Called with one line for the operator. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** A server that has responded to a probe. */
interface ProbedServer extends ServerState {
  readonly url: string;
  readonly probe: Connections;
}

/**
 * The connections of an instance, all to the same server. Writes of requests have a separate one, so that reads
 * continue while a commit waits for a standby. Reports have another one, so that requests do not wait for them. The
 * first report opens it.
 *
 * A probe chooses the server. It runs when there is a reason to doubt the present choice, at most once a second.
 */
export class Pool implements AsyncDisposable {
  /** A query that takes longer is given up. */
  readonly queryMs: number;
  /** Runs everything except reports and the writes of requests. */
  readonly shared: Connections;
  readonly #writer: Connections;
  readonly #reporter: Connections;
  readonly #all: readonly Connections[];
  readonly #urls: readonly string[];
  /** The server that all connections lead to. */
  #url: string;
  readonly #fence: Fence;
  /** The fence has refused the server, and no other has been found. */
  #isRefused = false;
  #isProbing = false;
  readonly #timers: Timer[] = [];
  #isClosed = false;

  constructor({ url, connections, timeoutMs, onWarning = () => {} }: PoolOptions) {
    this.queryMs = timeoutMs * PART_OF_REQUEST;
    this.#urls = hostUrls(url);
    this.#url = this.#urls[0] as string;
    this.#fence = new Fence(onWarning);
    const open = (max: number, limitMs: number) =>
      new Connections({ url: this.#url, max, timeoutMs: limitMs }, () => this.#probe());
    this.shared = open(connections, this.queryMs);
    this.#writer = open(1, this.queryMs);
    this.#reporter = open(1, REPORT_MS);
    this.#all = [this.shared, this.#writer, this.#reporter];
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
   * anything, and must not begin with WITH. The rows have a further column with the history of the server.
   */
  async write<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    // The commit of a transaction that has written nothing does not wait for a standby, and a replay writes
    // nothing. But the pet that a replay confirms may be on this server only, if the server was restarted while
    // the creation waited for the standby. So every write adds a message to the log, although nothing reads it.
    // `commit_durably` is in `migrations/postgres/0001_create_store.sql`. It makes this commit wait for the disk and
    // for synchronous standbys, even if the settings of the server say otherwise.
    const durably = `WITH written AS (${statement}) SELECT written.*, "serverHistory"
      FROM written, commit_durably(), pg_logical_emit_message(true, 'animal-store', ''),
        (SELECT ${this.#fence.column} AS "serverHistory") AS server`;
    const { seen } = this.#fence;
    const rows = await this.#writer.ask((sql) =>
      sql.unsafe<(Row & { readonly serverHistory: string })[]>(durably, values),
    );
    this.#admit(rows[0]?.serverHistory ?? '', seen);
    return rows;
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
    const { seen } = this.#fence;
    const { isWritable, isSafe, history } = await this.shared.ask((sql) => this.#fence.look(sql));
    this.#admit(history, seen);
    if (!isWritable) this.shared.doubt();
    return isWritable && isSafe;
  }

  /** With several hosts, finds the primary before the first query. If there is none, throws the error of each host. */
  async findPrimary(): Promise<void> {
    if (this.#urls.length > 1) await this.#choose();
  }

  /**
   * From now on, looks at the server once a second. So an instance that only reads leaves a server that has turned
   * read-only, or that has an older history. A command does not watch, because its one connection may be busy for long.
   */
  async watch(): Promise<void> {
    const look = () => this.isReady().catch(() => {});
    this.#timers.push(setInterval(look, WATCH_MS));
    if (this.#urls.length > 1) this.#timers.push(setInterval(() => this.#probe(), LOOK_MS));
    await look();
  }

  /** Throws if the server in use has an older history than `seenBefore`. */
  #admit(history: string, seenBefore: string): void {
    if (isOlder(history, seenBefore)) throw this.#refuse(this.#url, history);
    this.#fence.record(history);
  }

  /** Fails all queries until a probe finds another server. */
  #refuse(url: string, history: string): StoreUnavailableError {
    const refusal = new StoreUnavailableError(new Error('PostgreSQL has an older history'));
    if (this.#isRefused) return refusal;
    this.#isRefused = true;
    this.#fence.refuse(new URL(url).host, history);
    for (const each of this.#all) each.refuse(refusal);
    this.#probe();
    return refusal;
  }

  /** Chooses the server again, and continues once a second while there is a reason. */
  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    do {
      await this.#choose().catch(() => {});
      await Bun.sleep(PROBE_PAUSE_MS);
    } while (
      !this.#isClosed &&
      (this.#isRefused || this.#all.some(({ areDoubtful }) => areDoubtful))
    );
    this.#isProbing = false;
  }

  /**
   * Asks all servers, each with a separate connection, and uses the writable one with the newest timeline. If no
   * server is writable, the present one stays in use, because it may still serve reads, and the error of each host is
   * thrown.
   */
  async #choose(): Promise<void> {
    const { seen } = this.#fence;
    const servers: ProbedServer[] = [];
    const probes = this.#urls.map(
      (url) => new Connections({ url, max: 1, timeoutMs: PROBE_MS }, () => {}),
    );
    const ask = async (probe: Connections, index: number) => {
      const state = await probe.ask((sql) => this.#fence.look(sql));
      servers[index] = { ...state, probe, url: this.#urls[index] as string };
      if (!state.isWritable) throw new Error('the server is read-only');
      if (seen === '' || timelineOf(state.history) <= timelineOf(seen)) throw new Error();
    };
    try {
      // A server with a newer timeline was promoted since. The others are then not waited for, because one of them
      // may be a primary that no longer responds.
      const errors: Error[] = await Promise.any(probes.map(ask)).catch((error) => error.errors);
      const writable = servers.filter(({ isWritable }) => isWritable);
      const [best] = writable
        .filter(({ history }) => !isOlder(history, seen))
        .sort((one, other) => timelineOf(other.history).localeCompare(timelineOf(one.history)));
      const [refused] = writable;
      if (best !== undefined) await this.#use(best);
      else if (refused !== undefined) this.#refuse(refused.url, refused.history);
      else throw new AggregateError(errors);
    } finally {
      // Closing the connection to a server that does not respond takes a second.
      for (const probe of probes) probe[Symbol.asyncDispose]();
    }
  }

  /** Replaces all connections that should lead to this server and do not, or that no longer respond. */
  async #use({ url, probe, history }: ProbedServer): Promise<void> {
    this.#fence.record(history);
    const isSame = url === this.#url && !this.#isRefused;
    const isKept = async (each: Connections) =>
      isSame && each.areDoubtful ? each.areKept(probe).catch(() => true) : undefined;
    const kept = await Promise.all(this.#all.map(isKept));
    if (isSame && !kept.includes(false)) return;
    // Another server may be the primary behind the same name, and reads from the old one would miss new pets. So if
    // one group must be replaced, all are, except those that are kept for their backends.
    this.#url = url;
    this.#isRefused = false;
    for (const [index, each] of this.#all.entries()) if (!kept[index]) each.replace(url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#all.map((each) => each[Symbol.asyncDispose]()));
  }
}
