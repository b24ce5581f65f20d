import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, run, runJson, runLine, serve } from '../support/command.ts';
import { apiCaller } from '../support/http.ts';
import {
  hasForwardSecrecy,
  newCertificate,
  requireProgram,
  WITHOUT_RIGHTS,
} from '../support/programs.ts';
import { createStore, type Settings } from '../support/store.ts';
import { newFile, newFolder } from '../support/temporary-folder.ts';

describe('a start fails with one line', () => {
  test('if this user may not use the port or the folder', async () => {
    const { folder: locked, path: file, settings: inLocked } = newFile();
    chmodSync(locked, 0o500);
    const start = async (settings: Settings) => {
      const line = [...WITHOUT_RIGHTS, ...commandLine('serve')];
      const { stderr, exitCode } = await runLine(line, settings);
      expect(exitCode).toBe(1);
      return stderr.trimEnd();
    };
    expect(await start({ ...newFile().settings, PORT: '1023' })).toBe(
      'Cannot listen on 127.0.0.1, port 1023: EACCES. Check --host or HOST, and --port or PORT. ' +
        'A port below 1024 needs the capability CAP_NET_BIND_SERVICE.',
    );
    expect(await start(inLocked)).toBe(
      `Cannot use ${file}-serving: unable to open database file. ` +
        'Run this as the user of the service, who must be able to write the file and its folder.',
    );
  });

  test('if another program locks the data file', async () => {
    const { path, url, settings } = newFile();
    await createStore(url);
    using other = new Database(path);
    other.run('BEGIN IMMEDIATE');
    expect((await run(settings, 'serve')).stderr).toBe(
      `Cannot use ${path}: database is locked. Another program locks it.\n`,
    );
  });
});

test('the first start creates a demo account, and shows its key and a curl line that works', async () => {
  const file = join(newFolder(), 'new', 'a.db');
  const settings = { DATABASE_URL: `sqlite:${file}`, PORT: '0', OPERATOR_PORT: '0' };
  const child = Bun.spawn(commandLine('serve'), {
    env: { PATH: Bun.env['PATH'] ?? '', ...settings },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let shown = '';
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    shown += decoder.decode(chunk);
    if (/^ +curl .*\n/m.test(shown)) break;
  }
  const [curl = ''] = /curl .*/.exec(shown) ?? [];
  const { stdout } = Bun.spawnSync(['sh', '-c', `${curl} --silent --include`]);
  child.kill();
  await child.exited;
  expect(stdout.toString()).toContain('HTTP/1.1 201 Created');
  expect(shown).toContain(`data       ${file}`);
  const stopped = await new Response(child.stderr).text();
  expect(stopped).toEndWith(`Stopped. The data is in ${file}.\n`);
});

test('a service on every address with a certificate serves HTTPS with forward secrecy', async () => {
  const { certificateFile, keyFile, authorityFile } = newCertificate();
  const tls = { TLS_CERT_FILE: certificateFile, TLS_KEY_FILE: keyFile };
  await using service = await serve({ ...newFile().settings, ...tls, HOST: '0.0.0.0' });
  const ca = await Bun.file(authorityFile).text();
  const { port } = new URL(service.started.listening);
  const url = `https://127.0.0.1:${port}/v1/pets`;
  expect((await fetch(url, { tls: { ca } })).status).toBe(401);
  expect(hasForwardSecrecy(url)).toBe(true);
});

function modesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const modeOf = (file: string) => (statSync(join(folder, file)).mode & 0o777).toString(8);
  return Object.fromEntries(files.map((file) => [file, modeOf(file)]));
}

test('only the user who created them can read the files of a store', async () => {
  const { folder } = newFile();
  const DATABASE_URL = `sqlite:${folder}/data/store.db`;
  await using _service = await serve({ DATABASE_URL }, (words) => [
    'sh',
    '-c',
    'umask 000; exec "$@"',
    'sh',
    ...words,
  ]);
  const { data, ...files } = modesIn(folder);
  expect(data).toBe('700');
  const expected = ['data/store.db', 'data/store.db-wal', 'data/store.db-usage'];
  expect(Object.keys(files)).toEqual(expect.arrayContaining(expected));
  expect(new Set(Object.values(files))).toEqual(new Set(['600']));
});

test('the service needs no privileges', async () => {
  await using service = await serve(newFile().settings, (words) => [...WITHOUT_RIGHTS, ...words]);
  const { api, demoKey } = service.started;
  expect((await apiCaller(api, demoKey).get('/pets')).status).toBe(200);
  expect(readFileSync(`/proc/${service.pid}/status`, 'utf8')).toMatch(/^CapEff:\t0+$/m);
});

/** Runs words with a disk of one megabyte at $1, which has a copy of the files in $2 and $3 KiB left. */
const ON_FULL_DISK = `mount -t tmpfs -o size=1m tmpfs "$1" && cp "$2"/* "$1"
  head -c "$3k" /dev/zero > "$1/spare"
  cat /dev/zero > "$1/rest" 2> /dev/null
  rm "$1/spare"
  shift 3
  exec "$@"`;

/** A store, and a way to run commands with a copy of it on a disk that is full. */
async function newStore() {
  const source = newFile();
  await createStore(source.url);
  const disk = newFile();
  const refusal = async (left: number, ...words: string[]) => {
    const { exitCode, stdout, stderr } = await runLine(
      [
        ...[requireProgram('unshare'), '--user', '--map-root-user', '--mount'],
        ...['sh', '-c', ON_FULL_DISK, 'sh', disk.folder, source.folder, `${left}`],
        ...commandLine(...words),
      ],
      disk.settings,
    );
    expect([exitCode, stdout]).toEqual([1, '']);
    return stderr;
  };
  return { store: source.settings, file: disk.path, refusal };
}

test.each([
  [0, ''],
  [40, '-usage'],
])(
  'a start fails with one line if the disk has no room to open a file (%d KiB left)',
  async (left, suffix) => {
    const { file, refusal } = await newStore();
    expect(await refusal(left, 'serve')).toBe(
      `Cannot use ${file}${suffix}: disk I/O error. Check the disk, which may be full.\n`,
    );
  },
);

test('a backup and a restore say that the disk is full', async () => {
  const { store, file, refusal } = await newStore();
  const backup = newFile().path;
  await runJson(store, 'pets seed --count 1000');
  await runJson(store, 'store backup', backup);
  const restore = (left: number) => refusal(left, 'store', 'restore', backup, '--force');
  expect(await restore(40)).toStartWith(`Cannot use ${file}: no space left on device`);
  // There is room for the copy, but not for its entry in the audit.
  const room = Math.ceil(statSync(backup).size / 1024);
  expect(await restore(room)).toMatch(/^Cannot use .*: database or disk is full\.\n$/);
  expect(await refusal(40, 'store', 'backup', `${file}.2`)).toBe(
    `Cannot use ${file}.2: database or disk is full.\n`,
  );
});
