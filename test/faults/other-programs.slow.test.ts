import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { consoleAt } from '../operator/test-console.ts';
import { serveWithKey } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { amount } from '../support/time.ts';

const OPERATOR_TOKEN = 'the-token-of-this-test';

/** Another program opens the data file, reads, writes, copies the log into the file and empties it. */
async function useElsewhere(file: string) {
  const statements = [
    '.timeout 60000',
    'SELECT count(*) FROM pets;',
    "INSERT INTO pets (name, category_id, status) VALUES ('Tom', 1, 'sold');",
    'PRAGMA wal_checkpoint(TRUNCATE);',
  ];
  const child = Bun.spawn([requireProgram('sqlite3'), '-bail', file, ...statements], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  expect(await child.exited).toBe(0);
}

test('another program may use the data file of a running service, and no pet is lost', async () => {
  await using running = await serveWithKey({ OPERATOR_TOKEN });
  const { file } = running;
  const confirmed: number[] = [];
  const addPet = async () => {
    const response = await running.add();
    expect(response.status).toBe(201);
    confirmed.push(((await response.json()) as { id: number }).id);
  };
  await addPet();
  await useElsewhere(file);
  await addPet();

  const call = consoleAt(running.started.operator, OPERATOR_TOKEN);
  const body = { name: 'b', plan: 'free' };
  const change = await call('/api/accounts', { method: 'POST', body });
  expect(change.status).toBe(200);
  await useElsewhere(file);
  await addPet();

  let isUsed = true;
  const writers = Array.from({ length: 4 }, async () => {
    while (isUsed) await addPet();
  });
  for (let each = 0; each < amount(20, 500); each++) await useElsewhere(file);
  isUsed = false;
  await Promise.all(writers);
  running.kill('SIGKILL');
  await running.exited;

  using database = new Database(file);
  const ids = new Set(database.query('SELECT id FROM pets').values().flat());
  expect(confirmed.filter((id) => !ids.has(id))).toEqual([]);
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
});
