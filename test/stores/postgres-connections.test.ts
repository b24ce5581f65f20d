import { expect, test } from 'bun:test';
import type { SQL } from 'bun';
import { openConnections } from '#stores/postgres/connections.ts';
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
    const open = () => openConnections({ url: proxy.url, max: 1, timeoutMs: 1_000 });
    const connections = open();
    const nameOf = (each: SQL) => each`SELECT current_setting('application_name') AS name`;
    const ask = () => connections.ask(nameOf);
    // These connections are opened without probes, because on a busy machine the proxy may silence a probe too.
    const backends = () => sql`SELECT application_name AS name FROM pg_stat_activity
      WHERE datname = current_database() AND application_name LIKE 'animal-store %/%'`;
    const silence = async () => {
      await eventually(() => succeeds(ask()));
      proxy.silenceOpenConnections();
      expect(await rejection(ask())).toMatchObject(UNAVAILABLE);
      expect(connections.load.inUse).toBe(1);
    };
    for (let times = 0; times < 2; times++) {
      await silence();
      // This query does not wait behind the other.
      const next = rejection(ask());
      await new Promise(setImmediate);
      expect(Bun.peek(next)).toMatchObject(UNAVAILABLE);
    }
    await eventually(async () => {
      const used = await ask().catch(() => []);
      return Bun.deepEquals([...(await backends())], [...used]);
    });
    await silence();
    const { sql: last } = connections;
    await connections[Symbol.asyncDispose]();
    expect(connections.sql).toBe(last);
    await sql`REVOKE EXECUTE ON FUNCTION pg_terminate_backend FROM PUBLIC`;
    await using limited = open();
    await eventually(() => succeeds(limited.ask(nameOf)));
    proxy.silenceOpenConnections();
    await rejection(limited.ask(nameOf));
    await eventually(() => succeeds(limited.ask(nameOf)));
  },
);
