import { expect, test } from 'bun:test';
import type { SQL } from 'bun';
import { Pool } from '#stores/postgres/pool.ts';
import { FlakyProxy } from '../faults/flaky-proxy.ts';
import { connectTo, newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { eventually, rejection, succeeds } from '../support/time.ts';

const UNAVAILABLE = { name: 'StoreUnavailableError' };

test.skipIf(lacks('postgres'))(
  'connections that stop responding are replaced, each time, and their backends end if the user may end them',
  async () => {
    const url = new URL(await newPostgresDatabase());
    await using sql = connectTo(url.href);
    url.username = `clerk_${crypto.randomUUID().slice(0, 8)}`;
    await sql.unsafe(`CREATE ROLE ${url.username} LOGIN`);
    await using proxy = await FlakyProxy.start(url);
    const open = () => new Pool({ url: proxy.url, connections: 1, timeoutMs: 5_000 });
    const pool = open();
    const connections = pool.shared;
    const nameOf = (each: SQL) => each`SELECT current_setting('application_name') AS name`;
    const ask = () => connections.ask(nameOf);
    /** The backends of all generations of the same connections. */
    const backendsLike = (name: string) => sql`SELECT application_name AS name FROM pg_stat_activity
      WHERE starts_with(application_name, ${name.replace(/\d+$/, '')})`;
    const silence = async () => {
      await eventually(() => succeeds(ask()));
      proxy.silenceOpenConnections();
      expect(await rejection(ask())).toMatchObject(UNAVAILABLE);
    };
    await silence();
    expect(connections.load.inUse).toBe(1);
    // It does not wait behind the other.
    const next = rejection(ask());
    await new Promise(setImmediate);
    expect(Bun.peek(next)).toMatchObject(UNAVAILABLE);
    await silence();
    await eventually(async () => {
      const [used = { name: '' }] = await ask().catch(() => []);
      return Bun.deepEquals([...(await backendsLike(used.name))], [used]);
    });
    await silence();
    const { sql: last } = connections;
    await pool[Symbol.asyncDispose]();
    expect(connections.sql).toBe(last);
    await sql`REVOKE EXECUTE ON FUNCTION pg_terminate_backend FROM PUBLIC`;
    await using limited = open();
    await eventually(() => succeeds(limited.shared.ask(nameOf)));
    proxy.silenceOpenConnections();
    await rejection(limited.shared.ask(nameOf));
    await eventually(() => succeeds(limited.shared.ask(nameOf)));
  },
);
