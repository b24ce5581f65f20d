import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  commandLine,
  eventually,
  makeKey,
  run,
  runJson,
  runLine,
  runProcess,
  runWith,
  type Serving,
  type Settings,
  serve,
} from '../support/command.ts';
import { createStore } from '../support/open-store.ts';
import { postgresForSuites } from '../support/postgres.ts';
import { requireProgram } from '../support/programs.ts';
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

/** An empty store. */
async function newStore(): Promise<Settings> {
  const settings = { DATABASE_URL: `sqlite:${join(folder.path, `${++files}.db`)}` };
  await createStore(settings.DATABASE_URL);
  return settings;
}

async function newFile(content: string | Uint8Array, extension: string): Promise<string> {
  const path = join(folder.path, `${++files}.${extension}`);
  await Bun.write(path, content);
  return path;
}

async function exported(settings: Settings): Promise<string> {
  return (await run(settings, 'pets', 'export')).stdout;
}

/** Runs a command on a pseudo-terminal, with lines of input. Returns all that it shows. */
async function onTerminal(settings: Settings, input: string, ...args: string[]): Promise<string> {
  const script = requireProgram('script');
  const line = commandLine(...args)
    .map((word) => `'${word}'`)
    .join(' ');
  const terminal = Bun.spawn([script, '-qec', line, '/dev/null'], {
    env: { PATH: Bun.env['PATH'] ?? '', ...settings },
    stdin: new Blob([input]),
    stdout: 'pipe',
  });
  return await new Response(terminal.stdout).text();
}

describe('pets import', () => {
  test('adds what export wrote, with every digit', async () => {
    const source = await newStore();
    const names = ['"q", x', '😀 é', "it's", ' padded ', 'a\u2028b'];
    const lines = names.map((name, index) => {
      const categoryId = 2n ** 63n - 1n - BigInt(index);
      return `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"sold"}\n`;
    });
    const file = await newFile(lines.join(''), 'ndjson');
    expect(await runJson<object>(source, 'pets', 'import', file)).toMatchObject({
      imported: names.length,
      firstId: 1,
      lastId: names.length,
    });
    const original = await exported(source);
    expect(original).toContain('"categoryId":9223372036854775807');
    const target = await newStore();
    const path = await newFile(original, 'ndjson');
    expect((await run(target, 'pets', 'import', path)).stdout).toStartWith(
      `Imported ${names.length} pets, with ids from 1 to ${names.length}.\n`,
    );
    expect(await exported(target)).toBe(original);
  });

  test('reads standard input, a byte order mark and CRLF', async () => {
    const settings = await newStore();
    const input = () => new Blob(['\ufeff{"name":"Rex, the dog","categoryId":7}\r\n']).stream();
    const { stdout } = await runWith({ input }, settings, 'pets', 'import', '-', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ imported: 1 });
    expect(await exported(settings)).toBe(
      '{"id":1,"name":"Rex, the dog","categoryId":7,"status":"available"}\n',
    );
  });

  test('reports each bad line, up to a bound, and adds nothing', async () => {
    const settings = await newStore();
    const good = '{"name":"Rex","categoryId":1}\n';
    const file = await newFile(`${good}{"name":"Rex"}\n${'nope\n'.repeat(1_500)}${good}`, 'ndjson');
    const { exitCode, stdout, stderr } = await run(settings, 'pets', 'import', file);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines[0]).toBe('Line 2: categoryId is required.');
    expect(lines[1]).toBe('Line 3: not JSON: expected a value at character 1.');
    expect(lines.slice(20)).toEqual(['And 1,481 more.', 'Nothing was changed.']);
    expect(await exported(settings)).toBe('');
  });

  test('reports a line that cannot be read, and goes on', async () => {
    const settings = await newStore();
    const good = '{"name":"Rex é","categoryId":1}\n';
    const endless = Buffer.alloc(3 * 2 ** 20, 'é');
    const content = ['\n', good, '\xff', '\n', good, endless, '\n', good, 'Rex,x\n', '\xff'];
    const bytes = content.map((part) =>
      part === '\xff' ? Buffer.from([0xff]) : Buffer.from(part),
    );
    const file = await newFile(Buffer.concat(bytes), 'ndjson');
    const { exitCode, stderr } = await run(settings, 'pets', 'import', file);
    expect(exitCode).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'Line 3: not UTF-8 text, or too long.',
      'Line 5: not UTF-8 text, or too long.',
      expect.stringMatching(/^Line 7: /),
      'Line 8: not UTF-8 text, or too long.',
      'Nothing was changed.',
    ]);
    expect(await exported(settings)).toBe('');
  });

  test('reads a pipe, and /dev/null as an empty file', async () => {
    const settings = await newStore();
    expect(await runJson<object>(settings, 'pets', 'import', '/dev/null')).toMatchObject({
      imported: 0,
    });
    const file = await newFile('{"name":"Rex","categoryId":1}\n'.repeat(10_000), 'ndjson');
    const line = `cat ${file} | ${commandLine('pets', 'import', '/dev/stdin', '--json').join(' ')}`;
    const { stdout } = await runLine(['sh', '-c', line], settings);
    expect(JSON.parse(stdout)).toMatchObject({ imported: 10_000 });
  });

  test('fails with one line for a file that it cannot read', async () => {
    const settings = await newStore();
    for (const [file, message] of [
      ['missing.ndjson', 'The file missing.ndjson does not exist.'],
      [folder.path, `${folder.path} is a folder, not a file.`],
    ] as const) {
      const { exitCode, stderr } = await run(settings, 'pets', 'import', file);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: `${message}\n` });
    }
  });
});

describe('pets export', () => {
  test('through a pipe that is non-blocking and full is complete', async () => {
    const settings = await newStore();
    await runJson(settings, 'pets', 'seed', '--count', '20000');
    const complete = await exported(settings);
    // Bun makes the pipe non-blocking once a program looks at its standard output.
    const look = await newFile('void process.stdout.isTTY;', 'ts');
    const [bun = '', ...words] = commandLine('pets', 'export');
    const line = [bun, '--preload', look, ...words, '| (sleep 0.5; cat)'].join(' ');
    const env = { PATH: Bun.env['PATH'] ?? '', ...settings };
    const { stdout } = Bun.spawnSync(['sh', '-c', line], { env, stderr: 'ignore' });
    expect(stdout.toString() === complete).toBe(true);
  });

  test('of a pipe that is closed early ends quietly', async () => {
    const settings = await newStore();
    await runJson(settings, 'pets', 'seed', '--count', '20000');
    const line = commandLine('pets', 'export').join(' ');
    const env = { PATH: Bun.env['PATH'] ?? '', ...settings };
    const { stdout, stderr } = Bun.spawnSync(['sh', '-c', `${line} | head -n 1`], { env });
    expect(stdout.toString()).toStartWith('{"id":1,');
    expect(stderr.toString()).toBe('');
  });
});

test('pets seed adds plausible pets', async () => {
  const settings = await newStore();
  await runJson(settings, 'pets', 'seed', '--count', '2500');
  expect((await exported(settings)).trimEnd().split('\n')).toHaveLength(2_500);
});

describe('a correction', () => {
  interface Running {
    readonly settings: Settings;
    readonly services: readonly Serving[];
    readonly secret: string;
  }

  async function statusesOf({ services, secret }: Running, path: string): Promise<string[]> {
    const headers = { Authorization: `Bearer ${secret}` };
    return Promise.all(
      services.map(async ({ started }) => {
        const response = await fetch(`${started.api}${path}`, { headers });
        return response.ok ? await response.text() : String(response.status);
      }),
    );
  }

  /** Reads before each correction, so that every cache holds the old pet. */
  async function correct(running: Running): Promise<void> {
    const { settings } = running;
    await runJson(settings, 'pets', 'seed', '--count', '3');
    const [before] = await statusesOf(running, '/pets/2');
    expect(before).toContain('"id":2,');
    await statusesOf(running, '/pets?limit=3');
    const status = before?.includes('"sold"') ? 'pending' : 'sold';
    const changed = await runJson<object>(settings, 'pets', 'set-status', '2', status, '--yes');
    expect(changed).toMatchObject({ old: { id: 2 }, new: { id: 2, status } });
    for (const path of ['/pets/2', '/pets?after=1&limit=1']) {
      await eventually(async () =>
        (await statusesOf(running, path)).every((body) => body.includes(`"status":"${status}"`)),
      );
    }
    expect((await run(settings, 'pets', 'remove', '2', '--yes')).stdout).toMatch(
      /^Removed pet 2 ".+" of category \d+ \(\w+\)\. The id 2 is never used again\.\n$/,
    );
    await eventually(async () =>
      (await statusesOf(running, '/pets/2')).every((body) => body === '404'),
    );
    await eventually(async () =>
      (await statusesOf(running, '/pets?limit=3')).every((body) => !body.includes('"id":2,')),
    );
  }

  test('is seen by a running service on SQLite', async () => {
    const settings = await newStore();
    const { secret } = await makeKey(settings, 'reader');
    await using service = await serve(settings);
    await correct({ settings, services: [service], secret });
  });

  test('is seen by two instances on PostgreSQL', async () => {
    const settings = { DATABASE_URL: await postgres.newDatabase() };
    await using first = await serve(settings);
    await using second = await serve(settings);
    const { secret } = await makeKey(settings, 'reader');
    await correct({ settings, services: [first, second], secret });
  });

  test('asks on a terminal, unless --yes is given', async () => {
    const settings = await newStore();
    await runJson(settings, 'pets', 'seed', '--count', '1');
    const pet = await exported(settings);
    const asked: string[] = [];
    const answering = (answer: string, ...words: string[]) => {
      const ask = async (question: string) => {
        asked.push(question);
        return answer;
      };
      return runWith({ ask }, settings, 'pets', ...words);
    };
    for (const answer of ['n', '', 'yo']) {
      const { exitCode, stderr } = await answering(answer, 'remove', '1');
      expect([exitCode, stderr]).toEqual([1, 'Nothing was changed.\n']);
    }
    expect(asked[0]).toMatch(/^Remove pet 1 ".+" of category \d+ \(\w+\) for good\? \[y\/N\] $/);
    expect((await run(settings, 'pets', 'remove', '1')).stderr).toBe(
      'Nothing was changed: without a terminal, add --yes.\n',
    );
    expect(await exported(settings)).toBe(pet);
    const agreed = await answering('y', 'set-status', '1', 'pending');
    expect(agreed.stdout).toContain('to pending.');
    const unasked = await answering('n', 'remove', '1', '--yes');
    expect(unasked.stdout).toStartWith('Removed pet 1');
    expect(asked).toHaveLength(4);
  });

  test('is asked for on the terminal of the process', async () => {
    const settings = await newStore();
    await runJson(settings, 'pets', 'seed', '--count', '1');
    const shown = await onTerminal(settings, 'yes\n', 'pets', 'remove', '1');
    expect(shown).toContain('for good? [y/N]');
    expect(shown).toContain('Removed pet 1 ');
  });

  test('of a wrong id or status names what is allowed', async () => {
    const settings = await newStore();
    for (const [words, message] of [
      [['remove', '7'], 'Pet 7 does not exist.'],
      [['remove', 'x'], 'The id of a pet is a whole number, not "x".'],
      [['set-status', '7', 'lost'], 'Allowed choices are available, pending, sold.'],
    ] as const) {
      const { exitCode, stderr } = await run(settings, 'pets', ...words);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(message);
    }
  });
});

test('creations succeed while pets are imported, and the service sees the new pets', async () => {
  const settings = await newStore();
  const { secret } = await makeKey(settings, 'writer');
  await using service = await serve(settings);
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const file = await newFile('{"name":"Rex","categoryId":1}\n'.repeat(30_000), 'ndjson');
  const importing = runProcess(settings, 'pets', 'import', file, '--json');
  let isDone = false;
  const finished = importing.finally(() => {
    isDone = true;
  });
  const statuses = new Set<number>();
  while (!isDone) {
    const body = '{"name":"Tom","categoryId":2}';
    const response = await fetch(`${service.started.api}/pets`, { method: 'POST', headers, body });
    statuses.add(response.status);
  }
  const { lastId } = JSON.parse((await finished).stdout);
  expect([...statuses]).toEqual([201]);
  const last = await fetch(`${service.started.api}/pets/${lastId}`, { headers });
  expect(await last.text()).toContain('"name":"Rex"');
  const path = (settings['DATABASE_URL'] ?? '').replace('sqlite:', '');
  using database = new Database(path, { readonly: true });
  expect(database.query("SELECT count(*) AS n FROM pets WHERE name = 'Rex'").get()).toEqual({
    n: 30_000,
  });
});
