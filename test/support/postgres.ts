import { chownSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SQL } from 'bun';
import { freePort, killedWithTests, requireProgram, runProgram, sharedServer } from './programs.ts';
import { newFolder } from './temporary-folder.ts';
import { eventually } from './time.ts';

/** Creates an empty database on the server that all tests share, and returns its URL. */
export function newPostgresDatabase(options?: string): Promise<string> {
  return createDatabase(sharedServer('TEST_POSTGRES_URL'), options);
}

/** A client of a database, with one connection by default. */
export function connectTo(url: string, max = 1): SQL {
  return new SQL(url, { max });
}

async function createDatabase(url: string, options = '') {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await using sql = connectTo(url);
  await sql.unsafe(`CREATE DATABASE ${name} ${options}`);
  const database = new URL(url);
  database.pathname = name;
  return database.href;
}

/** A PostgreSQL server with its data in a temporary folder, on a free loopback port. */
export class TestPostgres implements AsyncDisposable {
  readonly url: string;
  readonly #bin: string;
  readonly #data: string;
  readonly #port: number;
  readonly #folder = newFolder();
  #server: Bun.Subprocess | undefined;
  /** Backends that were killed, and may not have ended yet. */
  #killed: number[] = [];

  private constructor(port: number, primary?: TestPostgres) {
    this.#bin = postgresPrograms();
    this.#port = port;
    this.#data = join(this.#folder, 'data');
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    mkdirSync(this.#data, { mode: 0o700 });
    ownedByServer(this.#folder, this.#data);
    const [program, ...flags] =
      primary === undefined
        ? ['initdb', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--no-locale']
        : ['pg_basebackup', '--write-recovery-conf', '--checkpoint=fast', '--dbname', primary.url];
    const path = join(this.#bin, program as string);
    runProgram(...asOwner([path, '--pgdata', this.#data, '--no-sync', ...flags]));
  }

  /** With a primary, the server is its standby, and its name is `walreceiver`. */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    primary?: TestPostgres,
  ): Promise<TestPostgres> {
    const postgres = new TestPostgres(await freePort(), primary);
    await postgres.start(settings);
    return postgres;
  }

  /** Of the process that started all others. */
  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** A standby for which commits on the primary wait. */
  static async synchronousStandbyOf(
    primary: TestPostgres,
    settings?: Readonly<Record<string, string>>,
  ): Promise<TestPostgres> {
    const standby = await TestPostgres.start(settings, primary);
    await primary.setSynchronousStandby('*');
    await using sql = connectTo(primary.url);
    await eventually(
      async () => (await sql`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`).length > 0,
    );
    return standby;
  }

  /** Every standby for `*`, and none for an empty name. */
  async setSynchronousStandby(name: '*' | ''): Promise<void> {
    await using sql = connectTo(this.url);
    await sql.unsafe(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await sql`SELECT pg_reload_conf()`;
  }

  /** Starts or restarts the server, and waits until it responds. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const allSettings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
    const options = Object.entries(allSettings).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const location = ['-D', this.#data, '-p', String(this.#port)];
    const server = spawnServer([join(this.#bin, 'postgres'), ...location, ...options]);
    this.#server = server;
    await eventually(async () => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL exited with ${server.exitCode}`);
      await using sql = connectTo(this.url);
      const [shown] = await sql`SHOW data_directory`.catch(() => []);
      return shown?.data_directory === this.#data;
    });
  }

  /** Stops the server immediately, like a crash or a failover. */
  async stop(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    this.#server?.kill(signal);
    // A test that failed may have left it frozen.
    this.#server?.kill('SIGCONT');
    await this.#server?.exited;
    // A backend that still ends would keep the next start from using the shared memory.
    await eventually(() => !this.#killed.some(isRunning));
    this.#killed = [];
  }

  /** Afterwards, the server has the data from before `during` again, like a disk that is restored from a snapshot. */
  async undo(during: () => Promise<void>): Promise<void> {
    const copy = join(this.#folder, 'copy');
    await this.stop();
    Bun.spawnSync(['cp', '-a', this.#data, copy]);
    await this.start();
    await during();
    await this.stop();
    rmSync(this.#data, { recursive: true });
    renameSync(copy, this.#data);
    await this.start();
  }

  /** Freezes, continues or kills all processes of the server. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    const children = signalServer(this.pid, signal);
    if (signal === 'SIGKILL') this.#killed = children;
  }

  /** The URL of a database with several servers, in this order. */
  static urlOf(database: string, ...servers: readonly TestPostgres[]): string {
    const hosts = servers.map(({ url }) => new URL(url).host).join();
    return `postgres://postgres@${hosts}${new URL(database).pathname}?target_session_attrs=read-write`;
  }

  /** Turns a standby into a primary. */
  async promote(): Promise<void> {
    await using sql = connectTo(this.url);
    await sql`SELECT pg_promote()`;
  }

  /** Creates an empty database and returns its URL. */
  newDatabase(): Promise<string> {
    return createDatabase(this.url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

/** Signals a process and its children, and returns the children. */
export function signalServer(pid: number, signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): number[] {
  // The process starts no further child meanwhile.
  process.kill(pid, 'SIGSTOP');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const signalled = children.map(Number).filter((child) => child > 0);
  for (const each of [...signalled, pid]) process.kill(each, signal);
  return signalled;
}

function isRunning(pid: number) {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** The folder of the PostgreSQL programs. */
export function postgresPrograms(): string {
  return dirname(requireProgram('postgres'));
}

/** Gives files to the user that `spawnServer` runs programs as. */
export function ownedByServer(...paths: string[]): void {
  if (process.getuid?.() !== 0) return;
  const id = (flag: string) => Number(runProgram('id', flag, 'postgres'));
  const [uid, gid] = [id('-u'), id('-g')];
  for (const path of paths) chownSync(path, uid, gid);
}

/** Starts a server that does not outlive the tests, even if they are killed. */
export function spawnServer(args: string[]): Bun.Subprocess {
  // A process that changes its user forgets the signal, so the user comes first.
  const words = asOwner([...killedWithTests('QUIT'), ...args]);
  return Bun.spawn(words, { stdout: 'ignore', stderr: 'ignore' });
}

/** PostgreSQL refuses to run as root, so root runs it as the user of the Debian package. */
function asOwner(args: string[]) {
  if (process.getuid?.() !== 0) return args;
  return [
    requireProgram('setpriv'),
    '--reuid=postgres',
    '--regid=postgres',
    '--clear-groups',
    ...args,
  ];
}
