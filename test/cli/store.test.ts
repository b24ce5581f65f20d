import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  commandLine,
  makeKey,
  run,
  runJson,
  runWith,
  type Settings,
  serve,
} from '../support/command.ts';
import { amount } from '../support/long.ts';
import { createStore } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
const folder = temporaryFolder();
let files = 0;

beforeAll(async () => {
  postgres = await postgresForSuites();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const newFile = (): Settings => ({ DATABASE_URL: `sqlite:${join(folder.path, `${++files}.db`)}` });
const newDatabase = async (): Promise<Settings> => ({ DATABASE_URL: await postgres.newDatabase() });

function inShell(settings: Settings, words: string[], redirect: string) {
  const line = `${commandLine(...words).join(' ')} ${redirect}`;
  const env = { PATH: Bun.env['PATH'] ?? '', ...settings };
  const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', line], { env });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

async function exportTo(settings: Settings): Promise<string> {
  const path = join(folder.path, `${++files}.ndjson`);
  const { exitCode, stdout } = await run(settings, 'store', 'export');
  expect(exitCode).toBe(0);
  await Bun.write(path, stdout);
  return path;
}

/** Without the header and the entries that say that the store was moved. */
function recordsIn(path: string): string {
  const [, ...lines] = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => !line.includes('"store.import"')).join('\n');
}

function importFrom(settings: Settings, path: string) {
  return runWith({ input: () => Bun.file(path).stream() }, settings, 'store', 'import');
}

/** Fills a store with every kind of record, through the commands and the service. */
async function fill(settings: Settings): Promise<{ secret: string }> {
  const { id, secret } = await makeKey(settings, 'Zoë und Söhne');
  await runJson(settings, 'keys', 'rotate', String(id));
  const spare = await runJson<{ id: number }>(
    settings,
    'keys',
    'create',
    'Zoë und Söhne',
    '--expires',
    '90d',
  );
  await runJson(settings, 'keys', 'revoke', String(spare.id));
  await using service = await serve(settings);
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const url = `${service.started.api}/pets`;
  for (const [index, name] of ['Rex', '猫 "q" \\ \u2028', "'; DROP TABLE pets; --"].entries()) {
    const body = `{"name":${JSON.stringify(name)},"categoryId":${2n ** 63n - 1n - BigInt(index)}}`;
    await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': `k${index}` },
      body,
    });
    await fetch(url, { method: 'POST', headers, body });
  }
  service.kill('SIGTERM');
  await service.exited;
  return { secret };
}

describe('a store', () => {
  test('moves from SQLite to PostgreSQL and back without changing a byte', async () => {
    const file = newFile();
    const { secret } = await fill(file);
    const original = await exportTo(file);
    const text = readFileSync(original, 'utf8');
    expect(text).not.toContain(secret);
    for (const kind of ['account', 'key', 'pet', 'idempotencyKey', 'usagePeriod', 'keyUse']) {
      expect(text).toContain(`\n{"${kind}":`);
    }

    const database = await newDatabase();
    expect(await importFrom(database, original)).toMatchObject({
      exitCode: 0,
      stdout: `Imported ${text.trimEnd().split('\n').length - 1} records.\n`,
    });
    const second = await exportTo(database);
    expect(recordsIn(second)).toBe(recordsIn(original));
    const back = newFile();
    expect((await importFrom(back, second)).exitCode).toBe(0);
    expect(recordsIn(await exportTo(back))).toBe(recordsIn(original));

    for (const settings of [database, back]) {
      await using service = await serve(settings);
      const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
      const url = `${service.started.api}/pets`;
      const body = `{"name":"Rex","categoryId":${2n ** 63n - 1n}}`;
      const again = { ...headers, 'Idempotency-Key': 'k0' };
      const replayed = await fetch(url, { method: 'POST', headers: again, body });
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      expect(await replayed.text()).toContain('"id":1,');
      const added = await fetch(url, { method: 'POST', headers, body });
      expect(Number(/"id":(\d+)/.exec(await added.text())?.[1])).toBeGreaterThan(6);
      service.kill('SIGTERM');
      await service.exited;
    }
  });

  test('that is not empty refuses an import', async () => {
    const file = newFile();
    await makeKey(file, 'first');
    const path = await exportTo(file);
    const database = await newDatabase();
    await makeKey(database, 'existing');
    for (const full of [file, database]) {
      expect(await importFrom(full, path)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: 'The store to import into is not empty. Nothing was changed.\n',
      });
    }
  });

  test('stays empty if the file to import is truncated, invalid or not an export', async () => {
    const file = newFile();
    await fill(file);
    const whole = readFileSync(await exportTo(file), 'utf8');
    const lines = whole.trimEnd().split('\n');
    const damaged: [text: string, message: string][] = [
      [lines.slice(0, -1).join('\n'), 'The export does not match the counts in its header.'],
      [whole.slice(0, -20), `Line ${lines.length}: not a valid record.`],
      [whole.replace('"status":"available"', '"status":"lost"'), ': not a valid record.'],
      [`${lines[0]}\n{"toString":{}}`, 'Line 2: not a valid record.'],
      [whole.replace('"perMinute":1000000', '"perMinute":null'), 'Line 2: not a valid record.'],
      [whole.replace('"account":{"id":1', '"account":{"id":1099511627776'), 'Line 2: not a'],
      [
        whole.replace('"pet":{"id":1,', '"pet":{"id":-9223372036854775808,'),
        ': not a valid record.',
      ],
      ['{"hello":"world"}', 'This is not an Animal Store export.'],
      ['', 'This is not an Animal Store export.'],
    ];
    for (const target of [newFile(), await newDatabase()]) {
      for (const [text, message] of damaged) {
        const path = join(folder.path, `${++files}.ndjson`);
        await Bun.write(path, text);
        const { exitCode, stderr } = await importFrom(target, path);
        expect(exitCode).toBe(1);
        expect(stderr).toContain(message);
        expect(stderr).toContain('Nothing was changed.');
      }
      expect(await runJson<object[]>(target, 'accounts', 'list')).toEqual([]);
    }
  });

  test('stays empty if two records have the same id, or one refers to none', async () => {
    const file = newFile();
    await fill(file);
    const whole = readFileSync(await exportTo(file), 'utf8');
    const path = join(folder.path, `${++files}.ndjson`);
    const target = newFile();
    await Bun.write(path, whole.replace('{"pet":{"id":2,', '{"pet":{"id":1,'));
    expect(await importFrom(target, path)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'Two records of the export have the same id, name or hash. Nothing was changed.\n',
    });
    await Bun.write(path, whole.replace('"accountId":1', '"accountId":77'));
    expect(await importFrom(target, path)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'A record of the export refers to one that is missing. Nothing was changed.\n',
    });
  });

  test('that does not exist cannot be exported', async () => {
    const { stderr, exitCode } = await run(newFile(), 'store', 'export');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^There is no store at .*\n$/);
  });

  test('exported to a full disk fails with one line', async () => {
    const file = newFile();
    await makeKey(file, 'full');
    const { stderr, exitCode } = inShell(file, ['store', 'export'], '> /dev/full');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^ENOSPC: .*\n$/);
  });

  test('that is being served refuses an import', async () => {
    const file = newFile();
    const empty = newFile();
    await createStore(empty['DATABASE_URL'] ?? '');
    const path = await exportTo(empty);
    await using _service = await serve(file);
    expect((await importFrom(file, path)).stderr).toStartWith('Another animal-store is serving');
  });
});

test('any number of pets moves in bounded memory', async () => {
  const count = amount(100_000, 1_000_000);
  const source = newFile();
  await createStore(source['DATABASE_URL'] ?? '');
  const database = new Database((source['DATABASE_URL'] ?? '').replace('sqlite:', ''));
  database.run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO pets (name, category_id, status) SELECT 'Pet ' || i, i, 'available' FROM n`);
  database.close();
  const target = await newDatabase();
  const env = (settings: Settings) => ({ PATH: Bun.env['PATH'] ?? '', ...settings });
  const exporting = Bun.spawn(commandLine('store', 'export'), {
    env: env(source),
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const importing = Bun.spawn(commandLine('store', 'import'), {
    env: env(target),
    stdin: exporting.stdout,
    stdout: 'pipe',
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    for (const { pid } of [exporting, importing]) {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        peakMb = Math.max(peakMb, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024);
      } catch {
        // The process has ended.
      }
    }
  }, 100);
  expect(await importing.exited).toBe(0);
  clearInterval(watch);
  expect(await new Response(importing.stdout).text()).toBe(
    `Imported ${count.toLocaleString('en')} records.\n`,
  );
  console.log(`${count} pets: ${peakMb.toFixed(0)} MB at most`);
  expect(peakMb).toBeLessThan(150);
});
