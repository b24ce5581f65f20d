import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, run, runJson, runLine, serve } from '../support/command.ts';
import { hasForwardSecrecy, newCertificate, WITHOUT_RIGHTS } from '../support/programs.ts';
import { createStore, openStore, type Settings } from '../support/store.ts';
import { newFile, newFolder } from '../support/temporary-folder.ts';

/** The error of a start that fails: one line, no stack trace, exit code 1. */
async function startError(settings: Settings): Promise<string> {
  const all = { ...newFile().settings, ...settings };
  const { exitCode, stdout, stderr } = await run(all, 'serve');
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr.trimEnd();
}

describe('a start fails with one line', () => {
  test('if the host is not an address of this machine', async () => {
    for (const HOST of ['192.0.2.1', 'no-such-host.invalid']) {
      expect(await startError({ HOST })).toStartWith(
        '--host or HOST must be an address of this machine',
      );
    }
  });

  test('if the folder cannot be created, or the file is not a database', async () => {
    const folderError = await startError({ DATABASE_URL: 'sqlite:/proc/animal-store/a.db' });
    expect(folderError).toStartWith('Cannot use /proc/animal-store/a.db: ');
    const { path, settings } = newFile();
    writeFileSync(path, 'Rex likes walks. '.repeat(100));
    expect(await startError(settings)).toStartWith(`Cannot use ${path}: file is not a database.`);
  });

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

  test('if the file is damaged', async () => {
    const { path, url, settings } = newFile();
    await createStore(url);
    truncateSync(path, 4096);
    expect(await startError(settings)).toBe(
      `Cannot use ${path}: database disk image is malformed. ` +
        'Restore a backup, or name another file with --database or DATABASE_URL.',
    );
  });

  test.each([
    ['emptied', '-usage', (path: string) => truncateSync(path)],
    ['gone', '-wal', (path: string) => rmSync(path)],
  ])('if the data file is %s, but its %s file is there', async (_, rest, lose) => {
    const { path, url, settings } = newFile();
    await createStore(url);
    rmSync(`${path}-usage`);
    await Bun.write(`${path}${rest}`, 'x');
    lose(path);
    expect(await startError(settings)).toBe(
      `The data file ${path} is missing or empty, but ${path}${rest} shows that there was a store. ` +
        `Put the file back or restore a backup. To begin a new store instead, delete ${path}${rest}.`,
    );
  });

  test('if another program locks the data file', async () => {
    const { path, url, settings } = newFile();
    await createStore(url);
    using other = new Database(path);
    other.run('BEGIN IMMEDIATE');
    expect(await startError(settings)).toBe(
      `Cannot use ${path}: database is locked. Another program locks it.`,
    );
  });

  test('if the certificate does not exist or is not valid', async () => {
    const { path } = newFile();
    const settings = { TLS_CERT_FILE: path, TLS_KEY_FILE: path };
    const rule =
      'TLS_CERT_FILE and TLS_KEY_FILE must be PEM files with a certificate and its key: ';
    expect(await startError(settings)).toStartWith(`${rule}ENOENT`);
    await Bun.write(path, 'not a certificate');
    expect(await startError(settings)).toStartWith(rule);
  });
});

/** The lines that a start prints, up to one that matches, and those of its end. */
async function linesOfStart(settings: Settings, last: RegExp, use = (_lines: string) => {}) {
  const child = Bun.spawn(commandLine('serve'), {
    env: { PATH: Bun.env['PATH'] ?? '', PORT: '0', OPERATOR_PORT: '0', ...settings },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let shown = '';
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    shown += decoder.decode(chunk);
    if (last.test(shown)) break;
  }
  use(shown);
  child.kill();
  await child.exited;
  return `${shown}${await new Response(child.stderr).text()}`;
}

describe('the first start', () => {
  test('creates a demo account, and shows its key and a curl line that works', async () => {
    const file = join(newFolder(), 'new', 'a.db');
    let response = '';
    const shown = await linesOfStart(
      { DATABASE_URL: `sqlite:${file}` },
      /^ +curl .*\n/m,
      (lines) => {
        const [curl = ''] = /curl .*/.exec(lines) ?? [];
        response = Bun.spawnSync(['sh', '-c', `${curl} --silent --include`]).stdout.toString();
      },
    );
    expect(response).toContain('HTTP/1.1 201 Created');
    expect(response).toContain('"name":"Rex"');
    expect(shown).toContain(`data       ${file}`);
    expect(shown).toEndWith(`Stopped. The data is in ${file}.\n`);
  });

  test('is the only start that shows the key, and a removed demo account is not mentioned', async () => {
    const { settings } = newFile();
    {
      await using first = await serve(settings);
      expect(first.started.demoKey).toStartWith('ask_');
    }
    {
      await using second = await serve(settings);
      expect(second.stdout()).not.toContain('ask_');
      expect(second.started.next).toBe(
        `Need a key? npx --no animal-store keys create demo --database '${settings.DATABASE_URL}'`,
      );
    }
    await runJson(settings, 'accounts', 'create', 'shop', '--plan', 'free');
    const removed = await runJson<object>(settings, 'accounts', 'remove', 'demo', '--yes');
    expect(removed).toMatchObject({ plan: 'free' });
    await using third = await serve(settings);
    expect(third.started.next).toBeUndefined();
  });

  test('creates no demo account if the store has a pet', async () => {
    const { url, settings } = newFile();
    {
      await using store = await openStore(url);
      await store.pets.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
    }
    await using service = await serve(settings);
    expect(service.started.demoKey).toBeUndefined();
  });

  test.each<[string, Settings]>([
    ['DEMO is off', { DEMO: 'off' }],
    ['other machines can reach the service', { HOST: '0.0.0.0' }],
  ])('names the command that creates an account, if %s', async (_, changes) => {
    const { settings } = newFile();
    await using service = await serve({ ...settings, ...changes });
    const { demoKey, next } = service.started;
    expect(demoKey).toBeUndefined();
    expect(await runJson<object[]>(settings, 'accounts', 'list')).toEqual([]);
    expect(next).toContain(' accounts create NAME --plan free --key --database ');
  });
});

describe('listening beyond loopback', () => {
  const HOST = '0.0.0.0';

  test('says so, and warns about missing TLS and about a missing PUBLIC_URL', async () => {
    const settings = { ...newFile().settings, HOST };
    const shown = await linesOfStart(settings, /accounts create/);
    expect(shown).toMatch(/^ {2}console {4}http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/m);
    expect(shown).toMatch(
      /^ {2}listening {2}http:\/\/localhost:\d+, on every address of this machine$/m,
    );
    await using service = await serve(settings);
    expect(service.started.warnings).toMatchObject([
      expect.stringContaining('API keys travel unencrypted'),
      expect.stringContaining('Set PUBLIC_URL'),
    ]);
  });

  test('does not warn behind a trusted proxy, or with a certificate, which serves HTTPS with forward secrecy', async () => {
    const base = { ...newFile().settings, HOST, PUBLIC_URL: 'https://animals.example' };
    {
      await using service = await serve({ ...base, TRUSTED_PROXIES: '1' });
      expect(service.started.warnings).toEqual([]);
    }
    const { certificateFile, keyFile, authorityFile } = newCertificate();
    const tls = { TLS_CERT_FILE: certificateFile, TLS_KEY_FILE: keyFile };
    await using service = await serve({ ...base, ...tls });
    expect(service.started.warnings).toEqual([]);
    expect(service.started.api).toBe('https://animals.example/v1');
    const ca = await Bun.file(authorityFile).text();
    const { port } = new URL(service.started.listening);
    const url = `https://127.0.0.1:${port}/v1/pets`;
    expect((await fetch(url, { tls: { ca } })).status).toBe(401);
    expect(hasForwardSecrecy(url)).toBe(true);
  });
});
