import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../support/command.ts';
import { apiCaller } from '../support/http.ts';
import { requireProgram } from '../support/programs.ts';
import { newFile } from '../support/temporary-folder.ts';

function modesIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const modeOf = (file: string) => (statSync(join(folder, file)).mode & 0o777).toString(8);
  return Object.fromEntries(files.map((file) => [file, modeOf(file)]));
}

test('only the user who created them can read the files of a store', async () => {
  const { folder } = newFile();
  const DATABASE_URL = `sqlite:${folder}/data/store.db`;
  await using _service = await serve({ DATABASE_URL }, (words) => [
    ...['sh', '-c', 'umask 000; exec "$@"', 'sh'],
    ...words,
  ]);
  const { data, ...files } = modesIn(folder);
  expect(data).toBe('700');
  const expected = ['data/store.db', 'data/store.db-wal', 'data/store.db-usage'];
  expect(Object.keys(files)).toEqual(expect.arrayContaining(expected));
  expect(new Set(Object.values(files))).toEqual(new Set(['600']));
});

test('the service needs no privileges', async () => {
  const setpriv = requireProgram('setpriv');
  await using service = await serve(
    newFile().settings,
    // Even root has none without capabilities.
    (words) =>
      process.getuid?.() === 0
        ? [setpriv, '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs', ...words]
        : words,
  );
  const { api, demoKey } = service.started;
  expect((await apiCaller(api, demoKey).get('/pets')).status).toBe(200);
  expect(readFileSync(`/proc/${service.pid}/status`, 'utf8')).toMatch(/^CapEff:\t0+$/m);
});
