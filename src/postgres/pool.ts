import type { SQL } from 'bun';
import { withDeadline } from '../async/deadline.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import {
  backendId,
  connect,
  isLost,
  isReadOnly,
  isUnavailable,
  runningBackends,
} from './connection.ts';

/** Together with a silent Redis, and with the time to find a key, a request takes 5 seconds. */
export const RESPONSE_MS = 2_500;
export const FIND_KEY_MS = 1_500;

/** After the statement timeout, and before the caller gives up and tries again. */
const SILENT_MS = 2_400;

/** Backends that may still run after this instance gave up on them. */
const MAX_ABANDONED = 2;
const MAX_PROBES = 2;
const RETRY_MS = 1_000;
const CLOSE_SECONDS = 1;

export function notResponding(): StoreUnavailableError {
  return new StoreUnavailableError(new Error('PostgreSQL does not respond'));
}

interface Connection {
  readonly sql: SQL;
  /** Undefined until it is open. */
  backend: string | undefined;
  /** Closed instead of used again. */
  isStale: boolean;
}

/**
 * A bounded number of connections. Each runs one query at a time, so that a query never waits behind
 * one that hangs, and giving up on a connection cuts no other query.
 */
export class Pool implements AsyncDisposable {
  readonly #url: string;
  readonly #idle: Connection[] = [];
  readonly #busy = new Set<Connection>();
  readonly #waiting = new Set<(connection: Connection) => void>();
  /** Those of `#busy` that did not respond in time. */
  readonly #silent = new Set<Connection>();
  #abandoned: string[] = [];
  #unopened: number;
  #probes = 0;
  #replacing: Promise<void> | undefined;
  #unlimited: SQL | undefined;
  #isClosed = false;

  constructor(url: string, connections: number) {
    this.#url = url;
    this.#unopened = connections;
  }

  /** A further connection, for work that may take longer than a request. */
  get sql(): SQL {
    this.#unlimited ??= connect(this.#url);
    return this.#unlimited;
  }

  /** Throws `StoreUnavailableError` when the server is away or does not respond in time. */
  async ask<T>(query: (sql: SQL) => PromiseLike<T>, withinMs = RESPONSE_MS): Promise<T> {
    const { promise: turn, resolve: begin } = Promise.withResolvers<Connection>();
    this.#waiting.add(begin);
    this.#assign();
    const late = () => {
      this.#waiting.delete(begin);
      return notResponding();
    };
    try {
      const result = turn.then((connection) => this.#run(connection, query));
      return await withDeadline(withinMs, result, late);
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailableError(error) : error;
    }
  }

  /** Runs one statement with values for `$1`, `$2` and so on, and returns its rows. */
  query<Row>(statement: string, ...values: unknown[]): Promise<Row[]> {
    return this.ask((sql) => sql.unsafe<Row[]>(statement, values));
  }

  /** Uses no open connection again. New ones may lead to another server, the new primary. */
  reconnect(): void {
    for (const connection of this.#busy) connection.isStale = true;
    for (const connection of this.#idle.splice(0)) this.#drop(connection);
  }

  #assign(): void {
    for (const begin of this.#waiting) {
      const connection = this.#idle.pop() ?? this.#open();
      if (connection === undefined) return;
      this.#waiting.delete(begin);
      this.#busy.add(connection);
      begin(connection);
    }
  }

  #open(): Connection | undefined {
    if (this.#unopened === 0 || this.#isClosed) return undefined;
    this.#unopened--;
    return { sql: connect(this.#url), backend: undefined, isStale: false };
  }

  async #run<T>(connection: Connection, query: (sql: SQL) => PromiseLike<T>): Promise<T> {
    const timer = setTimeout(() => this.#giveUp(connection), SILENT_MS);
    try {
      connection.backend ??= await backendId(connection.sql);
      return await query(connection.sql);
    } catch (error) {
      connection.isStale ||= isLost(error);
      if (isReadOnly(error)) this.reconnect();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#release(connection);
    }
  }

  #release(connection: Connection): void {
    this.#silent.delete(connection);
    // False if it was replaced.
    if (!this.#busy.delete(connection)) return;
    if (connection.isStale) this.#drop(connection);
    else this.#idle.push(connection);
    this.#assign();
  }

  #drop({ sql }: Connection): void {
    this.#unopened++;
    sql.close({ timeout: 0 }).catch(() => {});
  }

  /** Checks the idle connections as well, because they may lead to the same server. */
  #giveUp(connection: Connection): void {
    if (this.#isClosed) return;
    this.#silent.add(connection);
    for (const idle of this.#idle.splice(0)) {
      this.#busy.add(idle);
      this.#run(idle, (sql) => sql`SELECT 1`).catch(() => {});
    }
    this.#replacing ??= this.#replaceSilent().finally(() => {
      this.#replacing = undefined;
    });
  }

  async #replaceSilent(): Promise<void> {
    for (;;) {
      const [connection] = this.#silent;
      if (connection === undefined || this.#isClosed) return;
      const isReplaced = await this.#replace(connection).catch(() => false);
      if (!isReplaced) await Bun.sleep(RETRY_MS);
    }
  }

  /**
   * A backend may run on after its connection is closed, for example while it waits for a frozen
   * standby. Only the server knows. If it has too many of them, the silent connection keeps its place.
   */
  async #replace(silent: Connection): Promise<boolean> {
    if (this.#probes === MAX_PROBES) return false;
    this.#probes++;
    const probe = this.#probe(silent).finally(() => this.#probes--);
    // A probe that is late stays open, and counts, until the server responds.
    return withDeadline(RESPONSE_MS, probe, notResponding);
  }

  async #probe(silent: Connection): Promise<boolean> {
    const sql = connect(this.#url);
    try {
      const backend = await backendId(sql);
      const given = silent.backend === undefined ? [] : [silent.backend];
      const running = await runningBackends(sql, [...this.#abandoned, ...given]);
      const isFull = running.length > MAX_ABANDONED;
      if (isFull || !this.#silent.delete(silent) || this.#isClosed) throw notResponding();
      this.#abandoned = running;
      this.#busy.delete(silent);
      silent.sql.close({ timeout: 0 }).catch(() => {});
      this.#idle.push({ sql, backend, isStale: false });
      this.#assign();
      return true;
    } catch (error) {
      sql.close({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const connections = [...this.#idle, ...this.#busy].map(({ sql }) => sql);
    if (this.#unlimited !== undefined) connections.push(this.#unlimited);
    await Promise.all(connections.map((sql) => sql.close({ timeout: CLOSE_SECONDS })));
  }
}
