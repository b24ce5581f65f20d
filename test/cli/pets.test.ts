import { describe, expect, test } from 'bun:test';
import { printable } from '#cli/text.ts';
import { PET_FIELDS, type Pet } from '#domain/pet.ts';
import {
  commandLine,
  makeKey,
  printed,
  refusal,
  run,
  runJson,
  runLine,
  runOnTerminal,
  runWith,
} from '../support/command.ts';
import { createStore, importPets, type Settings } from '../support/store.ts';
import { changeFile, newFile } from '../support/temporary-folder.ts';
import { newPets, titleOf } from '../support/values.ts';

/** An empty store. */
async function newStore() {
  const { url, settings } = newFile();
  await createStore(url);
  return settings;
}

async function fileOf(content: string | Uint8Array) {
  const { path } = newFile();
  await Bun.write(path, content);
  return path;
}

const exported = (settings: Settings) => printed(settings, 'pets export');

describe('pets import', () => {
  test('adds what export wrote, with every digit, also with a byte order mark and CRLF', async () => {
    const source = await newStore();
    const names = ['"q", x', '😀 é', "it's", ' padded ', 'a\u2028b'];
    const lines = names.map((name, index) => {
      const categoryId = 2n ** 63n - 1n - BigInt(index);
      return `{"name":${JSON.stringify(name)},"categoryId":${categoryId}}\r\n`;
    });
    const input = () => new Blob(['\ufeff', ...lines]).stream();
    const { stdout } = await runWith({ input }, source, 'pets import - --json');
    expect(JSON.parse(stdout)).toMatchObject({ imported: 5, firstId: 1, lastId: 5 });
    const original = await exported(source);
    expect(original).toStartWith(
      '{"id":1,"name":"\\"q\\", x","categoryId":9223372036854775807,"status":"available"}\n',
    );
    const target = await newStore();
    expect(await printed(target, 'pets import', await fileOf(original))).toBe(
      'Imported 5 pets, with ids from 1 to 5.\n',
    );
    const { stdout: again, stderr } = await run(target, 'pets export');
    expect([again, stderr]).toEqual([original, 'Exported 5 pets.\n']);
  });

  test('reports each bad line, up to a bound, and adds nothing', async () => {
    const settings = await newStore();
    const good = '{"name":"Rex é","categoryId":1}\n';
    const file = await fileOf(`\n${good}{"name":"Rex"}\n${good}${'nope\n'.repeat(1_500)}${good}`);
    const stderr = await refusal(settings, 'pets import', file);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'Line 3: categoryId is required.',
      'Line 5: the line is not valid JSON: expected a value at character 1.',
    ]);
    expect(lines.slice(20)).toEqual(['Nothing was changed.']);
    expect(await exported(settings)).toBe('');
  });

  test('fails with one line for a file that it cannot read', async () => {
    const settings = await newStore();
    const notLines = 'After line 0, a line is too long or not UTF-8. Nothing was changed.';
    for (const [file, message] of [
      ['/missing.ndjson', "ENOENT: no such file or directory, open '/missing.ndjson'"],
      [import.meta.dir, 'EISDIR: illegal operation on a directory, read'],
      [await fileOf(Buffer.from([0xff])), notLines],
      [await fileOf('é'.repeat(2 ** 20 + 1)), notLines],
    ] as const) {
      expect(await refusal(settings, 'pets import', file)).toBe(`${message}\n`);
    }
  });
});

const large = await newStore();
await runJson(large, 'pets seed --count 5000');

describe('pets export', () => {
  test('writes everything through a full, non-blocking pipe', async () => {
    expect(await runJson(large, 'pets list')).toHaveLength(100);
    const complete = await exported(large);
    // Bun makes the pipe non-blocking once a program looks at its standard output.
    const look = `${newFile().path}.ts`;
    await Bun.write(look, 'void process.stdout.isTTY;');
    const [bun = '', ...words] = commandLine('pets export');
    const line = [bun, '--preload', look, ...words, '| (sleep 0.5; cat)'].join(' ');
    const { stdout } = await runLine(['sh', '-c', line], large);
    expect(stdout === complete).toBe(true);
  });

  test('ends quietly if the reader closes the pipe early', async () => {
    const line = `${commandLine('pets export').join(' ')} | head -n 1`;
    const { stdout, stderr } = await runLine(['sh', '-c', line], large);
    expect(stdout).toStartWith('{"id":1,');
    expect(stderr).toBe('');
  });
});

test('pets list shows every field of a pet in its own column', async () => {
  const { url, settings } = newFile();
  const pets = newPets(9).map((pet, index): Pet => ({ id: BigInt(9 - index), ...pet }));
  await importPets(url, pets, 9n);
  const stdout = await printed(settings, 'pets list');
  const [heading, ...rows] = stdout.trimEnd().split('\n');
  const titles = PET_FIELDS.map((field) => titleOf(field).toUpperCase());
  expect(heading?.split(/ {2,}/)).toEqual([...titles, 'ADDED', 'WITH']);
  // Cells are padded with spaces, and large counts have commas.
  const squeezed = (text: string) => text.replaceAll(/[ ,]/g, '');
  const cells = pets.map((pet) => PET_FIELDS.map((field) => printable(`${pet[field] ?? ''}`)));
  expect(rows.map(squeezed)).toEqual(cells.map((row) => squeezed(row.join(''))));
});

describe('what a leaked key has added', () => {
  /** A store with six pets, every other one added with key 1. */
  async function newLeak() {
    const { settings, path } = newFile();
    await makeKey(settings, 'acme');
    await runJson(settings, 'pets seed --count 6');
    changeFile(path, 'UPDATE pets SET key_id = 1 WHERE id % 2 = 0');
    const file = newFile().path;
    const remove = `pets remove --key 1 --since 1h --save ${file}`;
    return { settings, path, file, remove };
  }

  test('is listed, with the newest pets first', async () => {
    const { settings } = await newLeak();
    const { stdout, stderr } = await run(settings, 'pets list --account acme --limit 2');
    expect(stdout).toMatch(/^ID .* ADDED +WITH\n6 .* \S+Z +key 1 of "acme"\n4 .*\n$/);
    expect(stderr).toBe('There may be more: raise --limit.\n');
    const today = new Date().toISOString().slice(0, 10);
    const sold = ['--status', 'sold', '--since', '2026-11-17T08:00Z', '--until', today];
    expect(await printed(settings, 'pets list', ...sold)).toMatch(
      /^ID .*\n6 .*"acme"\n3 .* \S+Z\n$/,
    );
  });

  test('is removed once the operator agrees to the number, the key and the times', async () => {
    const { settings, file, remove } = await newLeak();
    let question = '';
    const ask = async (text: string) => {
      question = text;
      return 'n';
    };
    await runWith({ ask }, settings, remove);
    expect(question).toMatch(
      /^Remove 3 pets, added with key 1 of "acme" from \S+Z to \S+Z, for good\?/,
    );
    expect(await Bun.file(file).exists()).toBe(false);
    const agree = async () => 'y';
    const { stdout, stderr } = await runWith({ ask: agree }, settings, remove, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ removed: 3, file });
    expect(JSON.parse(stderr).note).toStartWith(`Saved 3 pets in ${file}. `);
    const [entry] = await runJson(settings, 'audit');
    expect(entry).toMatchObject({ old: { count: 3, addedWith: 'key 1 of "acme"' } });
  });

  test('can be removed completely after an interruption, with the file that was saved', async () => {
    const { settings, path, file, remove } = await newLeak();
    await run(settings, remove, '--yes');
    // Seeded pets have the same time.
    changeFile(path, 'UPDATE pets SET id = 6, key_id = 1 WHERE id = 5');
    const finish = (saved: string) => run(settings, 'pets remove --saved', saved, '--yes');
    expect((await finish(file)).stdout).toStartWith(
      'Removed 1 of 3 pets, added with key 1 of "acme"',
    );
    expect((await finish(file)).stdout).toStartWith('The store has none of');
    expect((await finish(await fileOf(await exported(settings)))).stderr).toStartWith(
      'Line 1: the line has no addedAtMs or no keyId, so "pets remove" has not saved it.\n',
    );
  });

  test('can be imported again from the file, which no later removal replaces', async () => {
    const { settings, path, file, remove } = await newLeak();
    await run(settings, remove, '--yes');
    const added = await runJson(settings, 'pets import', file);
    expect(added).toMatchObject({ imported: 3, firstId: 7 });
    changeFile(path, 'UPDATE pets SET key_id = 1 WHERE id = 7');
    expect(await refusal(settings, remove, '--yes')).toContain('file already exists');
    expect(await exported(settings)).toContain('"id":7,');
  });

  test('is not removed if the time excludes it, or without a key or an account', async () => {
    const { settings, remove } = await newLeak();
    const none = await run(settings, remove, '--until', '30m', '--yes');
    expect(none.stdout).toBe('No pets match. Nothing was changed.\n');
    for (const line of ['--since 1h', '7 --key 1', '7 --until 1h', '--saved x --account acme']) {
      expect(await refusal(settings, `pets remove ${line} --yes`)).toStartWith(
        'Give one of these: the id of a pet,',
      );
    }
  });
});

describe('a correction', () => {
  test('shows the old and the new pet, or the pet that was removed', async () => {
    const settings = await newStore();
    await runJson(settings, 'pets seed --count 3');
    const changed = await runJson(settings, 'pets set-status 2 sold --yes');
    expect(changed).toMatchObject({ old: { id: 2 }, new: { id: 2, status: 'sold' } });
    expect(await printed(settings, 'pets remove 2 --yes')).toMatch(
      /^Removed pet 2 ".+" of category \d+ \(\w+\)\. The id 2 is never used again\.\n$/,
    );
  });

  test('is asked for on the terminal of the process', async () => {
    const settings = await newStore();
    await runJson(settings, 'pets seed --count 1');
    const shown = await runOnTerminal(settings, 'pets remove 1', 'yes');
    expect(shown).toMatch(/Remove pet 1 ".+" of category \d+ \(\w+\) for good\? \[y\/N\] /);
    expect(shown).toContain('Removed pet 1 ');
  });
});
