import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { run, serve } from '../support/command.ts';
import { connectTo, TestPostgres } from '../support/postgres.ts';
import { sharedSettings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually, succeeds } from '../support/time.ts';

const CONNECTIONS = 6;

const { folder, path: rules } = newFile();
await Bun.write(
  rules,
  'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
);
// The user of the server must be able to read it.
chmodSync(folder, 0o755);
const postgres = await TestPostgres.start({
  hba_file: rules,
  max_connections: String(CONNECTIONS),
  superuser_reserved_connections: '0',
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** The one line that a command and a start print. They are the same. */
async function errorOf(url: string) {
  const settings = { DATABASE_URL: url };
  const { exitCode, stderr } = await run(settings, 'serve');
  expect(exitCode).toBe(1);
  expect((await run(settings, 'accounts list')).stderr).toBe(stderr);
  return stderr;
}

describe('an error about PostgreSQL names the server and the database, without the password', () => {
  test('if no server is there', async () => {
    expect(await errorOf('postgres://u:hunter2@127.0.0.1:1/pets')).toBe(
      'Cannot use postgres://u@127.0.0.1:1/pets: no server accepts connections there. ' +
        'Check the server and DATABASE_URL.\n',
    );
  });

  test.each([
    [
      'the password is wrong',
      'stranger',
      'postgres',
      'password authentication failed for user "stranger"',
    ],
    ['the database does not exist', 'postgres', 'nowhere', 'database "nowhere" does not exist'],
  ])('if %s', async (_, user, database, reason) => {
    const { host } = new URL(postgres.url);
    expect(await errorOf(`postgres://${user}:hunter2@${host}/${database}`)).toBe(
      `Cannot use postgres://${user}@${host}/${database}: ${reason}. Check the server and DATABASE_URL.\n`,
    );
  });

  test('if all connections are taken', async () => {
    await using stack = new AsyncDisposableStack();
    for (let i = 0; i < CONNECTIONS; i++) {
      const sql = stack.use(connectTo(postgres.url));
      // Connections of earlier commands may not have ended yet.
      await eventually(() => succeeds(sql`SELECT 1`));
    }
    const message = await errorOf(postgres.url);
    expect(message).toContain(new URL(postgres.url).host);
    expect(message).toContain('too many clients already');
  });
});

describe('an error about Redis names the host and the port', () => {
  test('if no server is there, and the service starts with a warning', async () => {
    const REDIS_URL = 'redis://:hunter2@127.0.0.1:1';
    const settings = { ...(await sharedSettings()), REDIS_URL };
    const message = 'Cannot use Redis at 127.0.0.1:1: no server accepts connections';
    await using service = await serve(settings);
    expect(service.started.warnings[0]).toStartWith(message);
    await eventually(() => service.stderr().includes('Redis is away'));
    await run(settings, 'accounts create shop --plan free');
    const { stderr } = await run(settings, 'accounts list');
    expect(stderr).toStartWith(`Counts and bans are not known. ${message}`);
    expect(`${service.stdout()}${service.stderr()}${stderr}`).not.toContain('hunter2');
  });
});
