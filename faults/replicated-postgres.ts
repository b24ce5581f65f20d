import { SQL } from 'bun';
import { FlakyProxy } from '../test/faults/flaky-proxy.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { eventually, succeeds } from '../test/support/time.ts';

const MAX_CONNECTIONS = 24;
/** The standby has the same settings, because it must not have fewer connections than the primary. */
const SETTINGS = { max_connections: String(MAX_CONNECTIONS), superuser_reserved_connections: '0' };

/** A PostgreSQL server behind one address. After a failover, the address leads to the former synchronous standby. */
export class ReplicatedPostgres implements AsyncDisposable {
  readonly url: string;
  #primary: TestPostgres;
  readonly #proxy: FlakyProxy;

  private constructor(primary: TestPostgres, proxy: FlakyProxy) {
    this.#primary = primary;
    this.#proxy = proxy;
    this.url = proxy.url;
  }

  static async start(): Promise<ReplicatedPostgres> {
    const primary = await TestPostgres.start(SETTINGS);
    const proxy = await FlakyProxy.start(new URL(await primary.newDatabase()));
    return new ReplicatedPostgres(primary, proxy);
  }

  async stopWhile(during: () => Promise<void>, signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    await this.#primary.stop(signal);
    await during();
    await this.#primary.start(SETTINGS);
  }

  async freezeWhile(during: () => Promise<void>): Promise<void> {
    this.#primary.signalAll('SIGSTOP');
    try {
      await during();
    } finally {
      this.#primary.signalAll('SIGCONT');
    }
  }

  /** Takes every connection, even those that the service already had. */
  async useUpConnectionsWhile(during: () => Promise<void>): Promise<void> {
    await using connections = new AsyncDisposableStack();
    const connect = () => connections.use(new SQL(this.#primary.url, { max: 1 }));
    const admin = connect();
    await admin`SELECT 1`;
    let taken = 1;
    const take = async () => {
      const sql = connect();
      await eventually(() => succeeds(sql`SELECT 1`));
      taken++;
    };
    const takers = Array.from({ length: MAX_CONNECTIONS - 1 }, take);
    await eventually(async () => {
      await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname <> 'postgres'`;
      return taken === MAX_CONNECTIONS;
    });
    await Promise.all(takers);
    await during();
  }

  /** The primary crashes, and its standby becomes the primary. */
  async failOver(during: () => Promise<void>): Promise<void> {
    const old = this.#primary;
    const standby = await TestPostgres.synchronousStandbyOf(old, SETTINGS);
    await old.stop();
    await during();
    await this.#moveTo(standby);
    await old[Symbol.asyncDispose]();
  }

  /**
   * The primary loses its standby and restarts. Then the standby becomes the new primary, without the pets whose
   * commits waited for it. The old primary continues to run.
   */
  async replaceWaitingPrimary(
    waiting: () => Promise<void>,
    moved: () => Promise<void>,
  ): Promise<void> {
    const old = this.#primary;
    const standby = await TestPostgres.synchronousStandbyOf(old, SETTINGS);
    await standby.stop();
    await waiting();
    await old.stop();
    await old.start(SETTINGS);
    await waiting();
    await standby.start({ ...SETTINGS, primary_conninfo: '' });
    await this.#moveTo(standby);
    await moved();
    await old[Symbol.asyncDispose]();
  }

  async #moveTo(standby: TestPostgres): Promise<void> {
    await standby.promote();
    this.#primary = standby;
    const target = new URL(standby.url);
    target.pathname = new URL(this.url).pathname;
    this.#proxy.switchTo(target);
    await standby.setSynchronousStandby('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
    await this.#primary[Symbol.asyncDispose]();
  }
}
