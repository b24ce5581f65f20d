import { SQL } from 'bun';
import { ownedByServer, spawnServer } from '../support/postgres.ts';
import { freePort, requireProgram } from '../support/programs.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually, succeeds } from '../support/time.ts';

/** PgBouncer in front of a database. */
export async function startPgBouncer(
  database: string,
  serverConnections: number,
  mode: 'session' | 'transaction' = 'transaction',
): Promise<AsyncDisposable & { readonly url: string }> {
  const program = requireProgram('pgbouncer');
  const { hostname, port, pathname } = new URL(database);
  const url = new URL(database);
  url.port = String(await freePort());
  const { folder, path: settings } = newFile();
  await Bun.write(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=postgres
[pgbouncer]
listen_addr = ${hostname}
listen_port = ${url.port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${serverConnections}
server_login_retry = 1
ignore_startup_parameters = statement_timeout
`,
  );
  ownedByServer(folder, settings);
  const server = spawnServer([program, '--quiet', settings]);
  await eventually(async () => {
    await using sql = new SQL(url.href, { max: 1, prepare: false });
    return await succeeds(sql`SELECT 1`);
  });
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL');
      await server.exited;
    },
  };
}
