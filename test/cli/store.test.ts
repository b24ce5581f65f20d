import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { exportOf, fillStore, importOf, recordsIn } from '../stores/full-store.ts';
import { makeKey, runJson, runWith } from '../support/command.ts';
import { newPostgresDatabase } from '../support/postgres.ts';
import { lacks } from '../support/programs.ts';
import { BACKENDS, createStore, newSettings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';

/** An export of a store with every kind of record, and the secret of its key. */
const source = newFile().settings;
const secret = await fillStore(source);
const whole = await exportOf(source);

test.skipIf(lacks('postgres'))(
  'a store moves from SQLite to PostgreSQL and back without changing a byte',
  async () => {
    expect(whole).not.toContain(secret);
    for (const kind of ['account', 'key', 'pet', 'idempotencyKey', 'usagePeriod', 'keyUse']) {
      expect(whole).toContain(`\n{"${kind}":`);
    }
    const database = { DATABASE_URL: await newPostgresDatabase() };
    const { length } = recordsIn(whole);
    expect((await importOf(whole, database)).stdout).toBe(`Imported ${length} records.\n`);
    const second = await exportOf(database);
    expect(recordsIn(second)).toEqual(recordsIn(whole));
    const back = newFile().settings;
    await importOf(second, back);
    expect(recordsIn(await exportOf(back))).toEqual(recordsIn(whole));
  },
);

test.each(BACKENDS)('an import needs an empty store: %s', async (backend) => {
  const settings = await newSettings(backend);
  await makeKey(settings, 'existing');
  const refused = 'The store to import into is not empty. Nothing was changed.\n';
  expect((await importOf(whole, settings)).stderr).toBe(refused);
});

test('an import shows on a terminal how far it is, and removes that line at its end', async () => {
  const [header = '', ...lines] = whole.trimEnd().split('\n');
  /** The time between two lines that the terminal shows. */
  const drawMs = 200;
  async function* input() {
    for (const text of [header, ...lines]) {
      yield Buffer.from(`${text}\n`);
      // Slow input takes long, also on a fast machine.
      if (text === lines[0] || text === lines[1]) await Bun.sleep(drawMs + 1);
    }
  }
  let shown = '';
  const stderr = {
    isTerminal: true,
    async write(text: string) {
      shown += text;
    },
  };
  await runWith({ input, stderr }, newFile().settings, 'store import');
  const line = `\\d of ${lines.length} records, \\d+/s, 00:\\d\\d:\\d\\d left`;
  expect(shown).toMatch(new RegExp(`\\r${line}\x1b\\[K[^]*\\r\x1b\\[KStore: `));
});

test('a store stays empty, or is not made, if the file to import is truncated, invalid or not an export', async () => {
  const lines = whole.trimEnd().split('\n');
  const damaged: [text: string, message: string][] = [
    [lines.slice(0, -1).join('\n'), 'The export does not match the counts in its header.'],
    [whole.slice(0, -20), `Line ${lines.length}: not a valid record.`],
    [
      whole.replace('"account":{"id":1', '"account":{"id":1099511627776'),
      'Line 2: account.id: must be an integer from 0 to',
    ],
    [whole.replace('"label":"', '"label":"\\u0000'), 'key.label: A label'],
    ['', 'This is not an Animal Store export.'],
    [whole.replace('{"pet":{"id":2,', '{"pet":{"id":1,'), 'The export contradicts itself: '],
    [whole.replace('"accountId":1', '"accountId":77'), 'The export contradicts itself: '],
  ];
  const existing = newFile();
  await createStore(existing.url);
  const missing = newFile();
  const targets = [existing.settings, missing.settings];
  if (!lacks('postgres')) targets.push({ DATABASE_URL: await newPostgresDatabase() });
  for (const target of targets) {
    for (const [text, message] of damaged) {
      const { stderr } = await importOf(text, target);
      expect(stderr).toContain(message);
      expect(stderr).toContain('Nothing was changed.');
    }
    if (target !== missing.settings) {
      expect(await runJson(target, 'accounts list')).toEqual([]);
    }
  }
  expect(readdirSync(missing.folder)).toEqual([]);
});
