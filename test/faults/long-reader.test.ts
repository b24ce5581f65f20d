import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { eventually } from '../support/command.ts';
import { serveWithKey } from '../support/serve-with-key.ts';

const MOST_BYTES = 16 * 2 ** 20;

test('the log that grew during a long read shrinks afterwards, and a metric shows its size', async () => {
  await using running = await serveWithKey();
  const { file, add, metric } = running;
  const walBytes = () => metric('animal_store_wal_bytes');

  expect((await add()).status).toBe(201);
  expect(await walBytes()).toBe(Bun.file(`${file}-wal`).size);
  {
    using reader = new Database(file);
    reader.run('BEGIN');
    reader.query('SELECT count(*) FROM pets').get();
    using other = new Database(file);
    other.run(`WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 80000)
      INSERT INTO pets (name, category_id, status) SELECT hex(zeroblob(125)), n, 'sold' FROM many`);
    expect(await walBytes()).toBeGreaterThan(MOST_BYTES);
  }
  await eventually(async () => {
    expect((await add()).status).toBe(201);
    return (await walBytes()) <= MOST_BYTES;
  });
});
