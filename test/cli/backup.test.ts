import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import {
  commandLine,
  makeKey,
  run,
  runJson,
  runLine,
  runProcess,
  type Settings,
  serve,
} from '../support/command.ts';
import { postgresForSuites, postgresPrograms } from '../support/postgres.ts';
import { requireProgram, WITHOUT_RIGHTS } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KILLED = 128 + constants.signals.SIGKILL;

const folder = temporaryFolder();
let files = 0;
afterAll(() => folder[Symbol.dispose]());

const newPath = (): string => join(folder.path, `${++files}.db`);
const at = (path: string): Settings => ({ DATABASE_URL: `sqlite:${path}` });

/** A store with an account, a key and pets. */
async function newStore(name: string, pets = '50'): Promise<string> {
  const path = newPath();
  await makeKey(at(path), name);
  await runJson(at(path), 'pets', 'seed', '--count', pets);
  return path;
}

/** The records of an export, which are equal for equal stores, without entries for a restore. */
async function contentOf(path: string): Promise<string> {
  const [, ...lines] = (await run(at(path), 'store', 'export')).stdout.split('\n');
  return lines.filter((line) => !line.includes('"store.restore"')).join('\n');
}

function idOf(path: string): unknown {
  using database = new Database(path, { readonly: true });
  return database.query('SELECT id FROM store').get();
}

describe('store backup', () => {
  test('is complete and sound under write load, and loses no confirmed pet', async () => {
    const path = newPath();
    const { secret } = await makeKey(at(path), 'writer');
    await runJson(at(path), 'pets', 'seed', '--count', '100000');
    await using service = await serve(at(path));
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    const create = async () => {
      const body = '{"name":"Rex","categoryId":1}';
      const response = await fetch(`${service.started.api}/pets`, {
        method: 'POST',
        headers,
        body,
      });
      expect(response.status).toBe(201);
      return Number(/"id":(\d+)/.exec(await response.text())?.[1]);
    };
    let lastId = await create();
    const confirmedBefore = lastId;
    let isDone = false;
    const file = newPath();
    const backup = runProcess(at(path), 'store', 'backup', file, '--json').finally(() => {
      isDone = true;
    });
    while (!isDone) lastId = await create();
    const { counts } = JSON.parse((await backup).stdout);
    expect(counts.pet).toBeGreaterThanOrEqual(confirmedBefore);
    expect(counts.pet).toBeLessThanOrEqual(lastId);
    using database = new Database(file, { readonly: true });
    expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    // Every pet up to the last one: a backup of one moment has no gaps.
    expect(database.query('SELECT count(*) AS n, max(id) AS last FROM pets').get()).toEqual({
      n: counts.pet,
      last: counts.pet,
    });
  });

  test('does not replace a file without --force, and leaves nothing else', async () => {
    const path = await newStore('first');
    const file = join(folder.path, `it's a backup ${++files}.db`);
    expect((await run(at(path), 'store', 'backup', file)).stdout).toBe(
      `Backed up 1 account, 1 key, 50 pets and 3 other records to ${file}, and verified the copy.\n` +
        'After a restore, limits start from zero.\n',
    );
    const again = await run(at(path), 'store', 'backup', file);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toBe(`${file} already exists. To replace it, add --force.\n`);
    await runJson(at(path), 'pets', 'seed', '--count', '1');
    const { counts } = await runJson<{ counts: object }>(
      at(path),
      ...['store', 'backup', file, '--force'],
    );
    expect(counts).toMatchObject({ pet: 51 });
    expect(readdirSync(folder.path).filter((name) => /partial|backup.*-/.test(name))).toEqual([]);
  });

  test('two at once do not disturb each other', async () => {
    const path = await newStore('twice');
    const file = newPath();
    const backup = () => runProcess(at(path), 'store', 'backup', file, '--force');
    const finished = await Promise.all([backup(), backup(), backup()]);
    expect(finished.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    using database = new Database(file, { readonly: true });
    expect(database.query('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  });

  test('never replaces a file of the store, by any name', async () => {
    const path = await newStore('precious');
    const content = await contentOf(path);
    const link = newPath();
    symlinkSync(path, link);
    for (const words of [
      ['store', 'backup', path],
      ['store', 'backup', link],
    ]) {
      const { exitCode, stderr } = await run(at(path), ...words, '--force');
      expect([words, exitCode]).toEqual([words, 1]);
      expect(stderr).toEndWith('belongs to the store itself.\n');
    }
    expect(await contentOf(path)).toBe(content);
  });

  test('can be read by nobody who cannot read the store', async () => {
    const path = await newStore('private');
    Bun.spawnSync(['chmod', '600', path]);
    const file = newPath();
    await runJson(at(path), 'store', 'backup', file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of a store with an added index is made', async () => {
    const path = await newStore('indexed');
    {
      using database = new Database(path);
      database.run('CREATE INDEX by_name ON pets (name)');
    }
    const file = newPath();
    const { stderr } = await run(at(path), 'store', 'backup', file);
    expect(stderr).toBe('');
    expect(existsSync(file)).toBe(true);
  });

  test('of a store that does not exist makes neither', async () => {
    const path = newPath();
    const file = newPath();
    const { exitCode, stderr } = await run(at(path), 'store', 'backup', file);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(path);
    expect([path, file].filter((name) => existsSync(name))).toEqual([]);
  });

  test('of a store that a newer version wrote names the store', async () => {
    const path = await newStore('newer');
    {
      using database = new Database(path);
      database.run('PRAGMA user_version = 999');
    }
    const file = newPath();
    expect((await run(at(path), 'store', 'backup', file)).stderr).toBe(
      `A newer version of Animal Store wrote ${path}. Use that version.\n`,
    );
    expect(existsSync(file)).toBe(false);
  });

  test('of a damaged store fails, and keeps the earlier backup', async () => {
    const path = await newStore('damaged', '20000');
    const file = newPath();
    await runJson(at(path), 'store', 'backup', file);
    const size = statSync(file).size;
    truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096);
    const { exitCode, stderr } = await run(at(path), 'store', 'backup', file, '--force');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('malformed');
    expect(statSync(file).size).toBe(size);
  });
});

describe('store restore', () => {
  test('brings back the store of the backup', async () => {
    const path = await newStore('mine');
    const content = await contentOf(path);
    const file = newPath();
    await runJson(at(path), 'store', 'backup', file);
    const target = newPath();
    expect((await run(at(target), 'store', 'restore', file, '--create')).stdout).toBe(
      'Restored 1 account, 1 key, 50 pets and 3 other records.\n',
    );
    expect(await contentOf(target)).toBe(content);
    expect(idOf(target)).toEqual(idOf(path));

    await runJson(at(path), 'pets', 'remove', '1', '--yes');
    await makeKey(at(path), 'later');
    await runJson(at(path), 'store', 'restore', file, '--force');
    expect(await contentOf(path)).toBe(content);
    expect(existsSync(`${path}-usage`)).toBe(false);
  });

  test('refuses a store that exists, and one that is being served even with --force', async () => {
    const path = await newStore('served');
    const file = newPath();
    await runJson(at(path), 'store', 'backup', file);
    const content = await contentOf(path);
    const exists = await run(at(path), 'store', 'restore', file);
    expect(exists.exitCode).toBe(1);
    expect(exists.stderr).toContain(`The store ${path} already exists.`);
    {
      await using _service = await serve(at(path));
      const { exitCode, stderr } = await run(at(path), 'store', 'restore', file, '--force');
      expect(exitCode).toBe(1);
      expect(stderr).toStartWith('Another animal-store is serving');
    }
    expect(await contentOf(path)).toBe(content);
  });

  test('does not create a store without --create', async () => {
    const file = newPath();
    await runJson(at(await newStore('some')), 'store', 'backup', file);
    const path = newPath();
    const { exitCode, stderr } = await run(at(path), 'store', 'restore', file);
    expect(exitCode).toBe(1);
    expect(stderr).toStartWith(`There is no store at ${path}.`);
    expect(existsSync(path)).toBe(false);
  });

  test('refuses the store itself by any name, and the data file of a service', async () => {
    const path = await newStore('itself');
    const content = await contentOf(path);
    const link = newPath();
    symlinkSync(path, link);
    const itself = await run(at(path), 'store', 'restore', link, '--force');
    expect(itself.stderr).toBe('The backup is the store itself.\n');
    const used = await run(at(await newStore('x')), 'store', 'restore', path, '--force');
    expect(used.stderr).toStartWith(`${path} is a data file that a service has used, not a backup`);
    expect(await contentOf(path)).toBe(content);
  });

  test('by root leaves the store to the user of its folder', async () => {
    const file = newPath();
    await runJson(at(await newStore('owned')), 'store', 'backup', file);
    using other = temporaryFolder();
    chownSync(other.path, 65_534, 65_534);
    const path = join(other.path, 'store.db');
    await runJson(at(path), 'store', 'restore', file, '--create');
    const owners = readdirSync(other.path).map((name) => statSync(join(other.path, name)).uid);
    expect(new Set(owners)).toEqual(new Set(process.getuid?.() === 0 ? [65_534] : owners));
  });

  test('makes a new store that only its owner can read, and keeps the permissions of an old one', async () => {
    const file = newPath();
    await runJson(at(await newStore('private')), 'store', 'backup', file);
    chmodSync(file, 0o644);
    using open = temporaryFolder();
    chmodSync(open.path, 0o777);
    const path = join(open.path, 'new', 'store.db');
    const restore = (option: string) => runProcess(at(path), 'store', 'restore', file, option);
    const modeOf = (name: string) => (statSync(name).mode & 0o777).toString(8);
    const modes = () => [join(open.path, 'new'), path, `${path}-serving`].map(modeOf);
    await restore('--create');
    expect(modes()).toEqual(['700', '600', '600']);
    chmodSync(path, 0o640);
    await restore('--force');
    expect(modes()).toEqual(['700', '640', '640']);
    rmSync(path);
    chmodSync(join(open.path, 'new'), 0o755);
    await restore('--create');
    expect(modes()).toEqual(['755', '600', '600']);
  });

  test('refuses a store that another program has open', async () => {
    const path = await newStore('open');
    const file = newPath();
    await runJson(at(path), 'store', 'backup', file);
    using other = new Database(path);
    other.query('SELECT count(*) FROM pets').get();
    const { exitCode, stderr } = await run(at(path), 'store', 'restore', file, '--force');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Another program uses');
  });

  test('refuses a file that is not a sound backup, and keeps the store', async () => {
    const path = await newStore('kept', '20000');
    const content = await contentOf(path);
    const good = newPath();
    await runJson(at(path), 'store', 'backup', good);
    const cut = newPath();
    copyFileSync(good, cut);
    truncateSync(cut, Math.floor(statSync(cut).size / 8192) * 4096);
    const newer = newPath();
    copyFileSync(good, newer);
    const foreign = newPath();
    for (const [file, change] of [
      [newer, 'PRAGMA user_version = 999'],
      [foreign, 'CREATE TABLE t (x)'],
    ] as const) {
      using database = new Database(file);
      database.run(change);
    }
    const text = newPath();
    await Bun.write(text, 'This is not a database, but it is long enough to be one.'.repeat(20));
    for (const [file, message] of [
      [cut, `${cut} is damaged`],
      [newer, `A newer version of Animal Store wrote ${newer}`],
      [foreign, `${foreign} is not an Animal Store data file.`],
      [text, `${text} is damaged: file is not a database.`],
      [newPath(), 'does not exist.'],
    ] as const) {
      const { exitCode, stderr } = await run(at(path), 'store', 'restore', file, '--force');
      expect(exitCode).toBe(1);
      expect(stderr).toContain(message);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    }
    expect(await contentOf(path)).toBe(content);
  });

  describe('refuses a file that a backup of a store cannot be', () => {
    const LAST = '9223372036854775807';
    const broken = 'does not have the schema of a new store: the';
    let good: string;
    beforeAll(async () => {
      good = newPath();
      await runJson(at(await newStore('attacked')), 'store', 'backup', good);
    });

    const attacks: [name: string, sql: string, message: string][] = [
      [
        'a trigger that stores another pet than was confirmed',
        "CREATE TRIGGER t AFTER INSERT ON pets BEGIN UPDATE pets SET name = 'x'; END",
        `${broken} trigger "t" was added, changed or removed. Undo that first.`,
      ],
      [
        'a trigger that keeps the restore out of the audit',
        'CREATE TRIGGER t BEFORE INSERT ON audit BEGIN SELECT RAISE(IGNORE); END',
        `${broken} trigger "t" was added, changed or removed. Undo that first.`,
      ],
      [
        'a trigger with the name of statistics',
        `PRAGMA writable_schema = ON;
          INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_stat1', 'pets', 0,
            'CREATE TRIGGER sqlite_stat1 AFTER INSERT ON pets BEGIN DELETE FROM pets; END')`,
        `${broken} trigger "sqlite_stat1" was added, changed or removed. Undo that first.`,
      ],
      [
        'a view in place of the pets',
        'ALTER TABLE pets RENAME TO real; CREATE VIEW pets AS SELECT * FROM real',
        `${broken} table "real" was added, changed or removed. Undo that first.`,
      ],
      [
        'a further index',
        'CREATE INDEX by_name ON pets (name)',
        `${broken} index "by_name" was added, changed or removed. Undo that first.`,
      ],
      [
        'a missing trigger',
        'DROP TRIGGER audit_updated',
        `${broken} trigger "audit_updated" was added, changed or removed. Undo that first.`,
      ],
      [
        'another CHECK constraint',
        `CREATE TABLE new (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
            category_id INTEGER NOT NULL, status TEXT NOT NULL CHECK (status <> '')) STRICT;
          INSERT INTO new SELECT * FROM pets;
          DROP TABLE pets;
          ALTER TABLE new RENAME TO pets`,
        `${broken} table "pets" was added, changed or removed. Undo that first.`,
      ],
      [
        'a pet that violates a CHECK constraint',
        "PRAGMA ignore_check_constraints = ON; UPDATE pets SET status = 'gone' WHERE id = 7",
        'is damaged: CHECK constraint failed in pets.',
      ],
      [
        'a key without an account',
        'PRAGMA foreign_keys = OFF; UPDATE api_keys SET account_id = 99',
        'is damaged: a reference is broken.',
      ],
      [
        'the last id of all',
        `UPDATE pets SET id = ${LAST} WHERE id = 50;
          UPDATE sqlite_sequence SET seq = ${LAST} WHERE name = 'pets'`,
        `uses ids of pets up to ${LAST}, which leaves too few for new pets: ` +
          `the greatest id is ${LAST}. Nothing was changed.`,
      ],
      [
        'the last id of all and an old sequence',
        `UPDATE pets SET id = ${LAST} WHERE id = 50`,
        `uses ids of pets up to ${LAST}, which leaves too few for new pets: ` +
          `the greatest id is ${LAST}. Nothing was changed.`,
      ],
      [
        'an audit without free ids',
        `UPDATE sqlite_sequence SET seq = ${LAST} WHERE name = 'audit'`,
        'is damaged: audit has used all ids up to 2147483647.',
      ],
      [
        'no id of the store',
        'DELETE FROM store',
        'is damaged: the table store does not have exactly one row.',
      ],
      [
        'two environments',
        "INSERT INTO store VALUES ('x', 'staging')",
        'is damaged: the table store does not have exactly one row.',
      ],
    ];
    test.each(attacks)('%s', async (_, sql, message) => {
      const file = newPath();
      copyFileSync(good, file);
      // The SQLite of the runtime does not let anybody write to the schema.
      expect(Bun.spawnSync([requireProgram('sqlite3'), file, sql]).stderr.toString()).toBe('');
      using empty = temporaryFolder();
      const path = join(empty.path, 'store.db');
      const { exitCode, stderr } = await run(at(path), 'store', 'restore', file, '--create');
      expect(stderr).toBe(`${file} ${message}\n`);
      expect(exitCode).toBe(1);
      expect(readdirSync(empty.path)).toEqual([]);
    });
  });

  test('accepts a backup with the statistics of ANALYZE', async () => {
    const path = await newStore('analyzed');
    {
      using database = new Database(path);
      database.run('ANALYZE');
    }
    const file = newPath();
    await runJson(at(path), 'store', 'backup', file);
    await runJson(at(newPath()), 'store', 'restore', file, '--create');
  });

  test('starts the count of changes again', async () => {
    const file = newPath();
    await runJson(at(await newStore('changed')), 'store', 'backup', file);
    {
      using database = new Database(file);
      database.run('UPDATE revision SET number = 1 << 53');
    }
    const path = newPath();
    await runJson(at(path), 'store', 'restore', file, '--create');
    using database = new Database(path, { readonly: true });
    expect(database.query('SELECT number FROM revision').all()).toEqual([{ number: 0 }]);
  });

  test('is recorded in the audit of the restored store', async () => {
    const file = newPath();
    await runJson(at(await newStore('recorded')), 'store', 'backup', file);
    const path = newPath();
    const { counts } = await runJson<{ counts: object }>(
      at(path),
      ...['store', 'restore', file, '--create'],
    );
    const [entry] = await runJson<object[]>(at(path), 'audit');
    expect(entry).toMatchObject({
      action: 'store.restore',
      command: 'store restore',
      subject: 'store',
      new: { file, counts },
    });
  });

  test('killed at any step leaves the old store or the new one', async () => {
    const strace = requireProgram('strace');
    const old = await newStore('old', '3');
    const oldContent = await contentOf(old);
    const other = await newStore('new', '400');
    const newContent = await contentOf(other);
    const file = newPath();
    await runJson(at(other), 'store', 'backup', file);

    const found = new Set<string>();
    const calls = [
      ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'fsync', 'fdatasync'],
      ...['ftruncate', 'write', 'pwrite64', 'sendfile', 'copy_file_range'],
    ];
    let when = 1;
    for (let wasKilled = true; wasKilled; when++) {
      const path = newPath();
      copyFileSync(old, path);
      // The old store was not closed properly: its last commit is only in the write-ahead log.
      {
        const database = new Database(path);
        database.run('PRAGMA journal_mode = WAL');
        database.run("UPDATE accounts SET name = 'late' WHERE name = 'old'");
        copyFileSync(path, `${path}.copy`);
        copyFileSync(`${path}-wal`, `${path}.copy-wal`);
        database.close();
        copyFileSync(`${path}.copy`, path);
        copyFileSync(`${path}.copy-wal`, `${path}-wal`);
      }
      const killing = ['-e', `inject=${calls}:signal=KILL:when=${when}`];
      const child = Bun.spawn(
        [
          ...[strace, '-f', '-qq', '-o', '/dev/null', '-P', path, '-P', `${path}-usage`],
          ...['-P', `${path}-wal`, '-P', folder.path, ...killing],
          ...commandLine('store', 'restore', file, '--force'),
        ],
        { env: { PATH: Bun.env['PATH'] ?? '', ...at(path) }, stdout: 'ignore', stderr: 'ignore' },
      );
      const exitCode = await child.exited;
      expect([0, KILLED]).toContain(exitCode);
      wasKilled = exitCode === KILLED;
      const content = await contentOf(path);
      const isOld = content === oldContent.replace('"name":"old"', '"name":"late"');
      found.add(isOld ? 'old' : content === newContent ? 'new' : 'broken');
    }
    console.log(`killed at ${when - 2} system calls`);
    expect([...found].sort()).toEqual(['new', 'old']);
    expect(when).toBeGreaterThan(5);
  });
});

describe('a path that the system refuses gets one line for a person', () => {
  let path: string;
  let backup: string;
  beforeAll(async () => {
    path = await newStore('refused', '2000');
    backup = newPath();
    await runJson(at(path), 'store', 'backup', backup);
    chmodSync(backup, 0);
    mkdirSync(join(folder.path, 'locked'), { mode: 0o500 });
  });

  /** The message of a command that fails, run without the rights of root. */
  async function refusal(store: string, ...words: string[]): Promise<string> {
    const line = [...WITHOUT_RIGHTS, ...commandLine(...words)];
    const { exitCode, stderr } = await runLine(line, at(store));
    expect(exitCode).toBe(1);
    return stderr.trimEnd();
  }

  test.each([
    ['missing/x', 'its folder does not exist'],
    ['1.db/x', 'its folder does not exist'],
    ['locked/x', 'this user has no permission'],
  ])('a backup to %s', async (name, reason) => {
    const file = join(folder.path, name);
    const message = `Cannot write ${file}: ${reason}.`;
    expect(await refusal(path, 'store', 'backup', file)).toBe(message);
  });

  test('a restore of what cannot be read, and to where nothing can be written', async () => {
    const restore = (store: string, file: string) =>
      refusal(store, 'store', 'restore', file, '--create');
    const target = newPath();
    expect(await restore(target, backup)).toBe(
      `Cannot copy ${backup} to ${target}: this user has no permission.`,
    );
    expect(await restore(newPath(), folder.path)).toBe(
      `The backup file ${folder.path} does not exist.`,
    );
    chmodSync(backup, 0o600);
    const locked = join(folder.path, 'locked/new/a.db');
    expect(await restore(locked, backup)).toBe(
      `Cannot write ${locked}: this user has no permission.`,
    );
    const inFile = join(backup, 'new/a.db');
    expect(await restore(inFile, backup)).toBe(
      `Cannot write ${inFile}: its folder does not exist.`,
    );
  });
});

describe('on PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof postgresForSuites>>;
  beforeAll(async () => {
    postgres = await postgresForSuites();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  test('backup and restore print commands that work when pasted, without the password', async () => {
    const url = new URL(await postgres.newDatabase());
    url.password = 'hunter2';
    const settings = { DATABASE_URL: url.href };
    {
      await using _service = await serve(settings);
      await runJson(settings, 'pets', 'seed', '--count', '20');
    }
    const paste = (advice: string) => {
      const [, line = ''] = advice.split('\n');
      const env = { PATH: `${postgresPrograms()}:${Bun.env['PATH']}`, PGPASSWORD: 'hunter2' };
      return Bun.spawnSync(['sh', '-c', line], { env });
    };
    const file = join(folder.path, 'pg backup.dump');
    const backup = await run(settings, 'store', 'backup', file);
    expect(backup.exitCode).toBe(1);
    expect(backup.stderr).toStartWith(
      'The store is a PostgreSQL database. Back it up with pg_dump:',
    );
    expect(backup.stderr).not.toContain('hunter2');
    expect(paste(backup.stderr).stderr.toString()).toBe('');

    await runJson(settings, 'pets', 'remove', '7', '--yes');
    const restore = await run(settings, 'store', 'restore', file);
    expect(restore.exitCode).toBe(1);
    expect(restore.stderr).not.toContain('hunter2');
    expect(paste(restore.stderr).stderr.toString()).toBe('');
    const sql = new SQL(url.href, { max: 1 });
    const [{ count }] = await sql`SELECT count(*)::integer AS count FROM pets`;
    await sql.close();
    expect(count).toBe(20);
  });
});
