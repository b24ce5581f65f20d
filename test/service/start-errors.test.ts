import { describe, expect, test } from 'bun:test';
import { truncateSync, writeFileSync } from 'node:fs';
import { run } from '../support/command.ts';
import { createStore, type Settings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';

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
    expect(await startError(settings)).toBe(
      `Cannot use ${path}: database disk image is malformed. ` +
        'Restore a backup, or name another file with --database or DATABASE_URL.',
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
