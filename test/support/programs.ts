import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { newFile } from './temporary-folder.ts';

/** The programs that tests of `npm test` need, and the Debian package of each. */
const EVERYDAY = {
  chromium: 'chromium',
  curl: 'curl',
  openssl: 'openssl',
  postgres: 'postgresql',
  'python3-yaml': 'python3-yaml',
  'redis-server': 'redis-server',
  setpriv: 'util-linux',
  sqlite3: 'sqlite3',
  strace: 'strace',
} as const;

/** Those that only `npm run test:all` needs. */
const FURTHER = {
  actionlint: 'golang-go',
  caddy: 'caddy',
  go: 'golang-go',
  haproxy: 'haproxy',
  'kubernetes-validate': 'python3-venv',
  nginx: 'nginx-light',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  python3: 'python3',
  setsid: 'util-linux',
  'systemd-analyze': 'systemd',
  unshare: 'util-linux',
} as const;

const TESTED = { ...EVERYDAY, ...FURTHER };

/** Those that only `npm run faults` needs. */
const FOR_ATTACKS = {
  etcd: 'etcd-server',
  patroni: 'patroni python3-etcd',
} as const;

const PACKAGES = { ...TESTED, ...FOR_ATTACKS };

type Program = keyof typeof PACKAGES;

const CACHE = join(import.meta.dir, '../../node_modules/.cache');

/** Debian does not have these programs, so `npm run install:programs` installs them here. `npm ci` deletes them. */
export const FOLDERS: Readonly<Partial<Record<Program, string>>> = {
  actionlint: join(CACHE, 'actionlint/bin'),
  'kubernetes-validate': join(CACHE, 'kubernetes-validate/bin'),
};

const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** The path of a program. Of PostgreSQL, that of its server; of PyYAML, a Python with it. */
function findProgram(name: Program): string | undefined {
  if (name === 'postgres') return findPostgres();
  if (name === 'python3-yaml') return findPythonWithYaml();
  const PATH = FOLDERS[name];
  return Bun.which(name, PATH === undefined ? {} : { PATH }) ?? undefined;
}

/** Debian has a folder for each version, outside the PATH. Root needs setpriv to run it. */
function findPostgres(): string | undefined {
  if (process.getuid?.() === 0 && Bun.which('setpriv') === null) return undefined;
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [];
  const paths = versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin/postgres'));
  return paths.find((path) => existsSync(path)) ?? Bun.which('postgres') ?? undefined;
}

/** Debian's package is invisible to another Python that comes first in the PATH. */
function findPythonWithYaml(): string | undefined {
  const pythons = [Bun.which('python3'), '/usr/bin/python3'].filter((path) => path !== null);
  return pythons.find(
    (path) =>
      existsSync(path) && Bun.spawnSync([path, '-c', 'import yaml'], { stderr: 'ignore' }).success,
  );
}

/** For `skipIf`. `npm test` leaves out what needs a missing program, and `npm run test:all` nothing. */
export function lacks(...names: Program[]): boolean {
  return names.some((name) => !isServed(name) && findProgram(name) === undefined);
}

/** A server that already runs takes the place of its program. */
function isServed(name: Program) {
  if (name === 'postgres') return Bun.env['TEST_POSTGRES_URL'] !== undefined;
  return name === 'redis-server' && Bun.env['TEST_REDIS_URL'] !== undefined;
}

/** The URL of a server that scripts/run-tests.ts has started. */
export function sharedServer(setting: 'TEST_POSTGRES_URL' | 'TEST_REDIS_URL'): string {
  const url = Bun.env[setting];
  if (url !== undefined) return url;
  throw new Error(`This test needs ${setting}, which npm run check:tests sets.`);
}

export function requireProgram(name: Program): string {
  const path = findProgram(name);
  if (path !== undefined) return path;
  throw new Error(`This test needs ${name}. On Debian, as root: npm run install:programs`);
}

/** Runs a program, which must succeed, and returns all that it prints. */
export function runProgram(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(args);
  if (exitCode !== 0) throw new Error(`${args.join(' ')} failed: ${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

/** The programs that are missing, of those of `npm test` or of all tests. */
export function missingPrograms(tests: 'everyday' | 'all'): Program[] {
  const names = Object.keys(tests === 'all' ? TESTED : EVERYDAY) as Program[];
  return names.filter((name) => lacks(name));
}

/** The command that installs programs. */
export function installCommand(programs: readonly Program[]): string {
  const packages = new Set(programs.map((name) => PACKAGES[name]));
  return `apt-get install ${[...packages].join(' ')}`;
}

/** On Linux, ends a program with the tests, even if those are killed. Goes in front of its words. */
export function killedWithTests(signal: 'KILL' | 'QUIT' | 'TERM'): string[] {
  return lacks('setpriv') ? [] : [requireProgram('setpriv'), '--pdeathsig', signal];
}

/** Takes the rights away that root has and other users do not. Goes in front of the words of a program. */
export const WITHOUT_RIGHTS =
  process.getuid?.() === 0 && !lacks('setpriv')
    ? [requireProgram('setpriv'), '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs']
    : [];

/** Below the ephemeral ports, so that no connection takes the port while a server restarts. */
const FIRST = 10_000;
const LAST = 32_000;

const hostname = '127.0.0.1';

/** Kept until this process ends. They keep other tests from a port before its server has started. */
const claims: unknown[] = [];

/** Never the same port twice, also for tests in other processes. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    try {
      const claim = await Bun.udpSocket({ hostname, port });
      claim.unref();
      claims.push(claim);
      Bun.listen({ hostname, port, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Another test has claimed it, or a server uses it.
    }
  }
}

/** The paths of a certificate for 127.0.0.1, of its key, and of the private authority that signed it. */
export function newCertificate() {
  const { folder } = newFile();
  const authorityFile = join(folder, 'authority.pem');
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  const authorityKey = join(folder, 'authority-key.pem');
  makeCertificate('Authority', authorityKey, authorityFile);
  makeCertificate(
    'Redis',
    keyFile,
    certificateFile,
    ...['-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-CA', authorityFile, '-CAkey', authorityKey],
  );
  return { authorityFile, certificateFile, keyFile };
}

function makeCertificate(name: string, keyFile: string, file: string, ...words: string[]) {
  runProgram(
    ...[requireProgram('openssl'), 'req', '-x509', '-days', '2', '-subj', `/CN=${name}`],
    ...['-newkey', 'rsa:2048', '-nodes', '-keyout', keyFile, '-out', file, ...words],
  );
}

/** True if a server accepts an exchange of keys with forward secrecy, and refuses one without. */
export function hasForwardSecrecy(url: string): boolean {
  const curl = [requireProgram('curl'), '-sk', '--tls-max', '1.2', url, '--ciphers'];
  const accepts = (cipher: string) => Bun.spawnSync([...curl, cipher]).success;
  return accepts('ECDHE-RSA-AES128-GCM-SHA256') && !accepts('AES128-GCM-SHA256');
}
