import { SQL } from 'bun';
import { FlakyProxy } from '../test/faults/flaky-proxy.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { eventually, succeeds } from '../test/support/time.ts';

const MAX_CONNECTIONS = 40;
/** The standby has the same settings, because it must not have fewer connections than the primary. */
const SETTINGS = { max_connections: String(MAX_CONNECTIONS), superuser_reserved_connections: '0' };

/** A PostgreSQL server and its standby, of which each becomes the other at a failover. */
export class ReplicatedPostgres implements AsyncDisposable {
  /** The URL with one host. After a failover, this host leads to the former synchronous standby. */
  readonly url: string;
  /** The URL with both hosts. After a failover, each of them still leads to the same server. */
  readonly hostsUrl: string;
  /** The moment at which the present primary began to accept writes. */
  promotedAtMs = 0;
  #primary: TestPostgres;
  readonly #proxy: FlakyProxy;
  /** The host of the primary, and the host of the next standby. */
  readonly #hosts: FlakyProxy[];

  private constructor(primary: TestPostgres, proxy: FlakyProxy, hosts: FlakyProxy[]) {
    this.#primary = primary;
    this.#proxy = proxy;
    this.#hosts = hosts;
    this.url = proxy.url;
    const url = new URL(proxy.url);
    const addresses = hosts.map((host) => new URL(host.url).host).join();
    this.hostsUrl = `postgres://${url.username}@${addresses}${url.pathname}`;
  }

  static async start(): Promise<ReplicatedPostgres> {
    const primary = await TestPostgres.start(SETTINGS);
    const target = new URL(await primary.newDatabase());
    const nowhere = new URL('postgres://127.0.0.1:1');
    const hosts = [await FlakyProxy.start(target), await FlakyProxy.start(nowhere)];
    return new ReplicatedPostgres(primary, await FlakyProxy.start(target), hosts);
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
    const standby = await this.#newStandby();
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
    const standby = await this.#newStandby();
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

  async #newStandby(): Promise<TestPostgres> {
    const standby = await TestPostgres.synchronousStandbyOf(this.#primary, SETTINGS);
    this.#hosts[1]?.switchTo(new URL(standby.url));
    return standby;
  }

  async #moveTo(standby: TestPostgres): Promise<void> {
    await standby.promote();
    this.promotedAtMs = performance.now();
    this.#primary = standby;
    this.#hosts.reverse();
    const target = new URL(standby.url);
    target.pathname = new URL(this.url).pathname;
    this.#proxy.switchTo(target);
    await standby.setSynchronousStandby('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const proxy of [this.#proxy, ...this.#hosts]) await proxy[Symbol.asyncDispose]();
    await this.#primary[Symbol.asyncDispose]();
  }
}
