import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

function modesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const modeOf = (file: string) => (statSync(join(folder, file)).mode & 0o777).toString(8);
  return Object.fromEntries(files.map((file) => [file, modeOf(file)]));
}

test('only the user who created them can read the files of a store', async () => {
  using folder = temporaryFolder();
  const store = `sqlite:${join(folder.path, 'data', 'store.db')}`;
  await using _service = await serve({ DATABASE_URL: store }, (words) => [
    ...['sh', '-c', 'umask 000; exec "$@"', 'sh'],
    ...words,
  ]);
  const { data, ...files } = modesIn(folder.path);
  expect(data).toBe('700');
  const expected = ['data/store.db', 'data/store.db-wal', 'data/store.db-usage'];
  expect(Object.keys(files)).toEqual(expect.arrayContaining(expected));
  expect(new Set(Object.values(files))).toEqual(new Set(['600']));
});

test('the service needs no privileges', async () => {
  using folder = temporaryFolder();
  const setpriv = requireProgram('setpriv');
  await using service = await serve(
    { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` },
    // Even root has none without capabilities.
    (words) =>
      process.getuid?.() === 0
        ? [setpriv, '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', ...words]
        : words,
  );
  const response = await fetch(`${service.started.api}/pets`, {
    headers: { Authorization: `Bearer ${service.started.demoKey}` },
  });
  expect(response.status).toBe(200);
  expect(readFileSync(`/proc/${service.pid}/status`, 'utf8')).toMatch(/^CapEff:\t0+$/m);
});
