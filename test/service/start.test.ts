import { describe, expect, test } from 'bun:test';
import { truncateSync, writeFileSync } from 'node:fs';
import { run, runJson, serve, serveHere } from '../support/command.ts';
import { createStore, type Settings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually } from '../support/time.ts';

/** The error of a start that fails: one line, no stack trace, exit code 1. */
async function startError(settings: Settings) {
  const all = { ...newFile().settings, ...settings };
  const { exitCode, stdout, stderr } = await run(all, 'serve');
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  return stderr.trimEnd();
}

describe('a start fails with one line', () => {
  test('if the host is not an address of this machine', async () => {
    const rule = '--host or HOST must be an address of this machine';
    for (const HOST of ['192.0.2.1', 'no-such-host.invalid']) {
      expect(await startError({ HOST })).toStartWith(rule);
    }
  });

  test('if the folder cannot be created, or the file is not a database', async () => {
    const file = '/proc/animal-store/a.db';
    expect(await startError({ DATABASE_URL: `sqlite:${file}` })).toStartWith(
      `Cannot use ${file}: `,
    );
    for (const end of ['', '-usage']) {
      const { path, url, settings } = newFile();
      await createStore(url);
      writeFileSync(path + end, 'Rex likes walks. '.repeat(100));
      const rule = `Cannot use ${path}${end}: file is not a database. `;
      expect(await startError(settings)).toStartWith(rule);
    }
  });

  test('if the file is damaged', async () => {
    const { path, url, settings } = newFile();
    await createStore(url);
    truncateSync(path, 4096);
    expect(await startError(settings)).toStartWith(
      `Cannot use ${path}: database disk image is malformed. Restore a backup, or `,
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

test('without its Redis, the service starts with a warning that names the host and port', async () => {
  const REDIS_URL = 'redis://:hunter2@127.0.0.1:1';
  await using service = await serve({ ...newFile().settings, REDIS_URL });
  const message = 'Cannot use Redis at 127.0.0.1:1: no server accepts connections';
  expect(service.started.warnings[0]).toStartWith(message);
  await eventually(() => service.stderr().includes('Redis is away'));
  expect(`${service.stdout()}${service.stderr()}`).not.toContain('hunter2');
});

describe('the first start', () => {
  test('is the only start that shows the key, and a removed demo account is not mentioned', async () => {
    const { settings } = newFile();
    {
      await using first = await serveHere(settings);
      expect(first.started.demoKey).toStartWith('ask_');
    }
    {
      await using second = await serveHere(settings);
      expect(JSON.stringify(second.started)).not.toContain('ask_');
      expect(second.started.next).toBe(
        `Need a key? npx --no animal-store keys create demo --database '${settings.DATABASE_URL}'`,
      );
    }
    await runJson(settings, 'accounts create shop --plan free');
    await runJson(settings, 'accounts remove demo --yes');
    await using third = await serveHere(settings);
    expect(third.started.next).toBeUndefined();
  });

  test('creates no demo account if the store has a pet', async () => {
    const { url, settings } = newFile();
    await createStore(url);
    await runJson(settings, 'pets seed --count 1');
    await using service = await serveHere(settings);
    expect(service.started.demoKey).toBeUndefined();
  });

  test.each<[string, Settings]>([
    ['DEMO is off', { DEMO: 'off' }],
    ['other machines can reach the service', { HOST: '0.0.0.0' }],
  ])('names the command that creates an account, if %s', async (_, changes) => {
    const { settings } = newFile();
    await using service = await serveHere({ ...settings, ...changes });
    const { demoKey, next } = service.started;
    expect(demoKey).toBeUndefined();
    expect(await runJson<object[]>(settings, 'accounts list')).toEqual([]);
    expect(next).toContain(' accounts create NAME --plan free --key --database ');
  });
});
