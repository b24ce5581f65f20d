import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, run, runLine, serve } from '../support/command.ts';
import { hasForwardSecrecy, newCertificate, WITHOUT_RIGHTS } from '../support/programs.ts';
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

test('the first start creates a demo account, and shows its key and a curl line that works', async () => {
  const file = join(newFolder(), 'new', 'a.db');
  let response = '';
  const shown = await linesOfStart({ DATABASE_URL: `sqlite:${file}` }, /^ +curl .*\n/m, (lines) => {
    const [curl = ''] = /curl .*/.exec(lines) ?? [];
    response = Bun.spawnSync(['sh', '-c', `${curl} --silent --include`]).stdout.toString();
  });
  expect(response).toContain('HTTP/1.1 201 Created');
  expect(shown).toContain(`data       ${file}`);
  expect(shown).toEndWith(`Stopped. The data is in ${file}.\n`);
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
    expect(shown).toMatch(/^Warning: API keys travel unencrypted.*\nWarning: .* Set PUBLIC_URL/m);
  });

  test('does not warn with a certificate, which serves HTTPS with forward secrecy', async () => {
    const base = { ...newFile().settings, HOST, PUBLIC_URL: 'https://animals.example' };
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
