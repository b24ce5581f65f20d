import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { exportOf, recordsIn } from '../stores/full-store.ts';
import {
  commandLine,
  makeKey,
  printed,
  refusal,
  run,
  runJson,
  runLine,
  runProcess,
  serveHere,
  serveWithKey,
} from '../support/command.ts';
import { connectTo, newPostgresDatabase, postgresPrograms } from '../support/postgres.ts';
import { lacks, requireProgram, WITHOUT_RIGHTS } from '../support/programs.ts';
import { changeFile, newFolder } from '../support/temporary-folder.ts';

const KILLED = 128 + constants.signals.SIGKILL;
const IS_ROOT = process.getuid?.() === 0;

const folder = newFolder();
let files = 0;

const newPath = (): string => join(folder, `${++files}.db`);
const at = (path: string) => ({ DATABASE_URL: `sqlite:${path}` });
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** A store with an account, a key and pets. */
async function newStore(name: string, pets = '50') {
  const path = newPath();
  await makeKey(at(path), name);
  await runJson(at(path), 'pets seed --count', pets);
  return path;
}

async function backUp(path: string) {
  const file = newPath();
  await runJson(at(path), 'store backup', file);
  return file;
}

const restore = (path: string, file: string, ...options: string[]) =>
  printed(at(path), 'store restore', file, ...options);
const refusedRestore = (path: string, file: string, ...options: string[]) =>
  refusal(at(path), 'store restore', file, ...options);

/** Equal for equal stores. */
async function contentOf(path: string) {
  return recordsIn(await exportOf(at(path))).join('\n');
}

function idOf(path: string) {
  using database = new Database(path, { readonly: true });
  return database.query('SELECT id FROM store').get();
}

/** Removes the second half of a file. */
function cutInHalf(path: string) {
  truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096);
}

/** A store that no test changes, its content and its backup. */
const original = await newStore('mine', '2000');
const content = await contentOf(original);
const backup = await backUp(original);

describe('store backup', () => {
  test('is complete and undamaged under write load, and loses no confirmed pet', async () => {
    await using service = await serveWithKey();
    const { settings } = service;
    await runJson(settings, 'pets seed --count 20000');
    const create = async () => {
      const response = await service.add();
      expect(response.status).toBe(201);
      return Number(/"id":(\d+)/.exec(await response.text())?.[1]);
    };
    let lastId = await create();
    const confirmedBefore = lastId;
    const file = newPath();
    const backup = runProcess(settings, 'store backup', file, '--json');
    while (Bun.peek.status(backup) === 'pending') lastId = await create();
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

  test('has the permissions of the store, does not replace a file without --force, and leaves nothing else', async () => {
    const path = await newStore('first');
    chmodSync(path, 0o660);
    const file = join(folder, `it's a backup ${++files}.db`);
    expect(await printed(at(path), 'store backup', file)).toBe(
      `Backed up 55 records to ${file}, and verified the copy.\n` +
        'After a restore, limits start from zero.\n',
    );
    expect(modeOf(file)).toBe('660');
    expect(await refusal(at(path), 'store backup', file)).toBe(
      `${file} already exists. To replace it, add --force.\n`,
    );
    await runJson(at(path), 'pets seed --count 1');
    const { counts } = await runJson(at(path), 'store backup', file, '--force');
    expect(counts).toMatchObject({ pet: 51 });
    expect(readdirSync(folder).filter((name) => /partial|backup.*-/.test(name))).toEqual([]);
  });

  test('is in the audit, the metrics and health --verbose, with its time and size', async () => {
    const path = await newStore('audited');
    const bytes = statSync(await backUp(path)).size;
    const audit = await runJson(at(path), 'audit --limit 1');
    const seconds = expect.any(Number);
    expect(audit).toMatchObject([{ action: 'store.backup', new: { bytes, seconds } }]);
    await using service = await serveHere(at(path));
    expect(await service.metric('last_backup_bytes')).toBe(bytes);
    const { port: OPERATOR_PORT } = new URL(service.started.operator);
    const time = audit[0]?.createdAt.replace(/\.\d+/, '');
    expect(await printed({ OPERATOR_PORT }, 'health --verbose')).toBe(
      `ready\nlast backup: ${time}, ${bytes.toLocaleString('en-US')} bytes\n`,
    );
  });

  test('succeeds and says so if it cannot be recorded in the store', async () => {
    const path = await newStore('refusing');
    const refuse = "BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'read-only'); END";
    changeFile(path, `CREATE TRIGGER refuse ${refuse}`);
    const { exitCode, stderr } = await run(at(path), 'store backup', newPath());
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('no record of this backup')]);
  });

  test('of a damaged store fails, and keeps the earlier backup', async () => {
    const path = await newStore('damaged', '2000');
    const file = await backUp(path);
    const size = statSync(file).size;
    cutInHalf(path);
    expect(await refusal(at(path), 'store backup', file, '--force')).toContain('malformed');
    expect(statSync(file).size).toBe(size);
  });
});

describe('store restore', () => {
  test('brings back the store of the backup, and adds an audit entry', async () => {
    const target = newPath();
    expect(await restore(target, backup, '--create')).toBe(
      'Restored 2,005 records.\n' +
        'Revocations, suspensions and removals after the backup are undone: repeat them.\n',
    );
    expect(await contentOf(target)).toBe(content);
    expect(idOf(target)).toEqual(idOf(original));

    await runJson(at(target), 'pets remove 1 --yes');
    await makeKey(at(target), 'later');
    const line = `store restore ${backup} --force`;
    const { counts } = await runJson(at(target), line);
    expect(await contentOf(target)).toBe(content);
    expect(existsSync(`${target}-usage`)).toBe(false);
    const [entry] = await runJson(at(target), 'audit');
    const audited = { action: 'store.restore', subject: 'store', new: { file: backup, counts } };
    expect(entry).toMatchObject(audited);
    expect(await printed(at(target), 'audit')).toMatch(
      /counts: account 1, key 1, pet 2,000, .*, audit entry 3,/,
    );
  });

  test('restores the tables of other programs too', async () => {
    const file = newPath();
    copyFileSync(backup, file);
    changeFile(file, 'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER UNIQUE)');
    await restore(newPath(), file, '--create');
  });

  test('needs --create for a new store, --force for an existing one, and a store that nobody uses', async () => {
    const missing = newPath();
    expect(await refusedRestore(missing, backup)).toStartWith(`There is no store at ${missing}.`);
    expect(existsSync(missing)).toBe(false);
    const path = await newStore('served');
    const before = await contentOf(path);
    // `original` is not even a backup, but the command checks that only later.
    expect(await refusedRestore(path, original)).toContain('add --force. Revocations,');
    {
      using other = new Database(path);
      other.query('SELECT count(*) FROM pets').get();
      expect(await refusedRestore(path, backup, '--force')).toContain('Another program uses');
    }
    {
      await using _service = await serveHere(at(path));
      expect(await refusedRestore(path, original, '--force')).toStartWith(
        'Another animal-store is serving',
      );
    }
    expect(await contentOf(path)).toBe(before);
  });

  test('refuses the store itself by any name, as a backup does, and the data file of a service', async () => {
    const [link, hardLink] = [newPath(), newPath()];
    symlinkSync(original, link);
    linkSync(original, hardLink);
    for (const file of [original, link, hardLink]) {
      expect(await refusal(at(original), 'store backup', file, '--force')).toEndWith(
        'belongs to the store itself.\n',
      );
      expect(await refusedRestore(original, file, '--force')).toBe(
        'The backup is the store itself.\n',
      );
      expect(await refusedRestore(newPath(), file, '--create')).toStartWith(
        `${file} is a data file that a service has used, not a backup`,
      );
    }
    expect(await contentOf(original)).toBe(content);
  });

  test('makes a new store that only its owner can read, and keeps the permissions of an old one', async () => {
    const open = newFolder();
    chmodSync(open, 0o777);
    const owner = IS_ROOT ? 65_534 : process.getuid?.();
    if (IS_ROOT) chownSync(open, 65_534, 65_534);
    const path = join(open, 'store.db');
    const serving = `${path}-serving`;
    await restore(path, backup, '--create');
    expect([path, serving].map(modeOf)).toEqual(['600', '600']);
    // A store that root restores belongs to the user of its folder.
    expect([path, serving].map((name) => statSync(name).uid)).toEqual([owner, owner] as number[]);
    chmodSync(path, 0o640);
    await restore(path, backup, '--force');
    expect([path, serving].map(modeOf)).toEqual(['640', '640']);
    // The process has its own umask.
    const inNewFolder = join(open, 'new/store.db');
    await runProcess(at(inNewFolder), 'store restore', backup, '--create');
    expect(modeOf(join(open, 'new'))).toBe('700');
  });

  describe('refuses, and keeps the store:', () => {
    test.each<[string, (file: string) => unknown, string]>([
      ['a file that was cut', cutInHalf, 'is damaged: '],
      ['no file', (file) => rmSync(file), 'does not exist, or is not a file.'],
    ])('%s', (_, damage, message) => expectRefused(damage, message));

    test.each<[string, string, string]>([
      ['a newer version', 'PRAGMA user_version = 999', `version of Animal Store wrote ${folder}`],
      ['another program', 'PRAGMA application_id = 7', 'is not an Animal Store data file.'],
      [
        'a trigger in the place of ours',
        'DROP TRIGGER pets_updated; CREATE TRIGGER pets_updated AFTER UPDATE ON pets BEGIN SELECT 1; END',
        'has the trigger "pets_updated", which is not part of Animal Store.',
      ],
      [
        'a view in the place of a table',
        'DROP TABLE key_uses; CREATE VIEW key_uses AS SELECT 1 AS account_id',
        'has the view "key_uses"',
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
    ])('%s', (_, sql, message) => expectRefused((file) => changeFile(file, sql), message));

    async function expectRefused(damage: (file: string) => unknown, message: string) {
      const file = newPath();
      copyFileSync(backup, file);
      await damage(file);
      const other = newFolder();
      const path = join(other, 'store.db');
      expect(await refusedRestore(path, file, '--create')).toContain(message);
      expect(readdirSync(other)).toEqual([]);
      await refusedRestore(original, file, '--force');
      expect(await contentOf(original)).toBe(content);
    }
  });

  test.skipIf(lacks('strace'))(
    'killed at any step leaves the old store or the new one',
    async () => {
      const old = await newStore('old', '3');
      const oldContent = await contentOf(old);
      const found = new Set<string>();
      const trace = newPath();
      const calls = [
        ...['rename', 'renameat', 'renameat2', 'unlink', 'unlinkat', 'fsync', 'fdatasync'],
        ...['ftruncate', 'write', 'pwrite64', 'sendfile', 'copy_file_range'],
      ];
      let when = 1;
      for (let wasKilled = true; wasKilled; when++) {
        const path = newPath();
        leaveOpen(old, path);
        const killing = ['-e', `inject=${calls}:signal=KILL:when=${when}`];
        const watched = [path, `${path}-usage`, `${path}-wal`, folder];
        const line = [
          ...[requireProgram('strace'), '-f', '-qq', '-o', trace],
          ...watched.flatMap((name) => ['-P', name]),
          ...killing,
          ...commandLine(`store restore ${backup} --force`),
        ];
        const { exitCode } = await runLine(line, at(path));
        expect([0, KILLED]).toContain(exitCode);
        wasKilled = exitCode === KILLED;
        const now = await contentOf(path);
        const isOld = now === oldContent.replace('"name":"old"', '"name":"late"');
        found.add(isOld ? 'old' : now === content ? 'new' : 'broken');
      }
      expect([...found].sort()).toEqual(['new', 'old']);
      expect(when).toBeGreaterThan(5);
      // A power cut undoes neither the removal of the old log nor, after the end, the new store.
      const steps = (await Bun.file(trace).text()).match(/fsync|unlink/g);
      expect(steps?.slice(-3)).toEqual(['unlink', 'fsync', 'fsync']);
    },
  );

  /** Copies a store as if it was not closed properly: its last commit is only in the write-ahead log. */
  function leaveOpen(from: string, to: string) {
    const draft = newPath();
    copyFileSync(from, draft);
    using database = new Database(draft);
    database.run('PRAGMA journal_mode = WAL');
    database.run("UPDATE accounts SET name = 'late' WHERE name = 'old'");
    copyFileSync(draft, to);
    copyFileSync(`${draft}-wal`, `${to}-wal`);
  }
});

test.skipIf(IS_ROOT && WITHOUT_RIGHTS.length === 0)(
  'a path that the system refuses gets one line for a person',
  async () => {
    const missing = join(folder, 'missing/x');
    expect(await refusal(at(original), 'store backup', missing)).toBe(
      `Cannot use ${missing}: no such file or directory.\n`,
    );
    const unreadable = newPath();
    copyFileSync(backup, unreadable);
    chmodSync(unreadable, 0);
    const target = newPath();
    mkdirSync(join(folder, 'locked'), { mode: 0o500 });
    const locked = join(folder, 'locked/new/a.db');
    for (const [path, file, refused] of [
      [target, unreadable, unreadable],
      [locked, backup, locked],
    ] as const) {
      const line = [...WITHOUT_RIGHTS, ...commandLine(`store restore ${file} --create`)];
      const { stderr } = await runLine(line, at(path));
      expect(stderr).toStartWith(`Cannot use ${refused}: permission denied. `);
      expect(stderr).toContain('Run this as the user of the service');
    }
  },
);

test.skipIf(lacks('postgres'))(
  'on PostgreSQL, commands are printed that work when pasted, without the password',
  async () => {
    const url = new URL(await newPostgresDatabase());
    url.password = 'hunter2';
    const settings = { DATABASE_URL: url.href };
    await makeKey(settings, 'pasting');
    await runJson(settings, 'pets seed --count 20');
    const file = join(folder, "Rex's backup.dump");
    const paste = async (word: 'backup' | 'restore') => {
      const stderr = await refusal(settings, `store ${word}`, file);
      expect(stderr).toStartWith('The store is a PostgreSQL database.');
      expect(stderr).not.toContain('hunter2');
      expect(stderr.includes('Revocations,')).toBe(word === 'restore');
      const [, line = ''] = stderr.split('\n');
      const env = { PATH: `${postgresPrograms()}:${Bun.env['PATH']}`, PGPASSWORD: 'hunter2' };
      expect(Bun.spawnSync(['sh', '-c', line], { env }).stderr.toString()).toBe('');
    };
    await paste('backup');
    await runJson(settings, 'pets remove 7 --yes');
    await paste('restore');
    await using sql = connectTo(url.href);
    const [{ count }] = await sql`SELECT count(*)::integer AS count FROM pets`;
    expect(count).toBe(20);
  },
);
