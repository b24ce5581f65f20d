import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { eventually } from './command.ts';
import { freePort } from './free-port.ts';
import { requireProgram } from './programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The server for suites that leave it running: TEST_POSTGRES_URL, or one of our own. */
export async function postgresForSuites(): Promise<
  AsyncDisposable & { newDatabase(options?: string): Promise<string> }
> {
  const url = Bun.env['TEST_POSTGRES_URL'];
  if (url === undefined) return TestPostgres.start();
  return {
    newDatabase: (options) => createDatabase(url, options),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function createDatabase(url: string, options = ''): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe(`CREATE DATABASE ${name} ${options}`);
  await sql.close();
  const database = new URL(url);
  database.pathname = name;
  return database.href;
}

/** A PostgreSQL of our own: a cluster in a temporary folder, on a free port of loopback. */
export class TestPostgres implements AsyncDisposable {
  readonly url: string;
  readonly #bin: string;
  readonly #data: string;
  readonly #port: number;
  readonly #folder = temporaryFolder();
  #server: Bun.Subprocess | undefined;

  private constructor(port: number) {
    this.#bin = postgresPrograms();
    this.#port = port;
    this.#data = join(this.#folder.path, 'data');
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    mkdirSync(this.#data, { mode: 0o700 });
    const { uid, gid } = owner();
    chownSync(this.#folder.path, uid, gid);
    chownSync(this.#data, uid, gid);
    const words = [
      '--auth=trust',
      '--username=postgres',
      '--no-sync',
      '--encoding=UTF8',
      '--no-locale',
    ];
    const { exitCode, stderr } = Bun.spawnSync(
      asOwner([join(this.#bin, 'initdb'), '--pgdata', this.#data, ...words]),
    );
    if (exitCode !== 0) throw new Error(`initdb failed: ${stderr}`);
  }

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
    const postgres = new TestPostgres(await freePort());
    await postgres.start(settings);
    return postgres;
  }

  /** Starts it, or starts it again, and waits until it answers. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const given = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
    const options = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = Bun.spawn(
      endingWithUs([
        join(this.#bin, 'postgres'),
        '-D',
        this.#data,
        '-p',
        String(this.#port),
        ...options,
      ]),
      { stdout: 'ignore', stderr: 'ignore' },
    );
    this.#server = server;
    await eventually(async () => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
      const sql = new SQL(this.url, { max: 1 });
      try {
        const [{ data_directory }] = await sql`SHOW data_directory`;
        return data_directory === this.#data;
      } catch {
        return false;
      } finally {
        await sql.close();
      }
    });
  }

  /** Ends it at once, as a crash or a failover would. */
  async stop(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    this.#server?.kill(signal);
    await this.#server?.exited;
  }

  /** The address of a new, empty database. */
  newDatabase(options?: string): Promise<string> {
    return createDatabase(this.url, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#folder[Symbol.dispose]();
  }
}

/** Debian keeps the programs of each version in a folder of their own. */
export function postgresPrograms(): string {
  const versions = '/usr/lib/postgresql';
  const find = () =>
    existsSync(versions)
      ? readdirSync(versions)
          .map((version) => join(versions, version, 'bin'))
          .find((folder) => existsSync(join(folder, 'initdb')))
      : undefined;
  const found = find() ?? Bun.which('initdb')?.replace(/\/initdb$/, '');
  if (found !== undefined) return found;
  requireProgram('pg_lsclusters', 'postgresql', 'or set TEST_POSTGRES_URL');
  const installed = find();
  if (installed !== undefined) return installed;
  throw new Error(
    'The tests need PostgreSQL. Install it (on Debian: apt-get install postgresql), or set TEST_POSTGRES_URL',
  );
}

/** PostgreSQL refuses to run as root: there it runs as the user that its package has made. */
function owner(): { uid: number; gid: number } {
  if (process.getuid?.() !== 0)
    return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const id = (flag: string) => Number(Bun.spawnSync(['id', flag, 'postgres']).stdout.toString());
  return { uid: id('-u'), gid: id('-g') };
}

/** A server must not outlive the tests that started it, not even when they are killed. */
function endingWithUs(words: string[]): string[] {
  return [requireProgram('setpriv', 'util-linux'), '--pdeathsig', 'QUIT', ...asOwner(words)];
}

function asOwner(words: string[]): string[] {
  if (process.getuid?.() !== 0) return words;
  return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...words];
}
