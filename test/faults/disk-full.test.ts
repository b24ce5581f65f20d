import { expect, test } from 'bun:test';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, runJson, runLine } from '../support/command.ts';
import { createStore } from '../support/open-store.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Runs words with a disk of one megabyte at $1, which has a copy of the files in $2 and $3 KiB left. */
const ON_FULL_DISK = `mount -t tmpfs -o size=1m tmpfs "$1" && cp "$2"/* "$1"
  head -c "$3k" /dev/zero > "$1/spare"
  cat /dev/zero > "$1/rest" 2> /dev/null
  rm "$1/spare"
  shift 3
  exec "$@"`;

/** A store, and a way to run commands with a copy of it on a disk that is full. */
async function newStore() {
  const folder = temporaryFolder();
  const [disk, source] = [join(folder.path, 'disk'), join(folder.path, 'source')];
  for (const path of [disk, source]) mkdirSync(path);
  const store = { DATABASE_URL: `sqlite:${join(source, 'store.db')}` };
  await createStore(store.DATABASE_URL);
  const file = join(disk, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}`, PORT: '0', OPERATOR_PORT: '0' };
  const refusal = async (left: number, ...words: string[]) => {
    const { exitCode, stdout, stderr } = await runLine(
      [
        ...[requireProgram('unshare'), '--user', '--map-root-user', '--mount'],
        ...['sh', '-c', ON_FULL_DISK, 'sh', disk, source, `${left}`, ...commandLine(...words)],
      ],
      settings,
    );
    expect([exitCode, stdout]).toEqual([1, '']);
    return stderr;
  };
  return { folder: folder.path, store, file, refusal, [Symbol.dispose]: folder[Symbol.dispose] };
}

test.each([
  [0, ''],
  [40, '-usage'],
])(
  'a start fails with one line if the disk has no room to open a file (%d KiB left)',
  async (left, suffix) => {
    using opened = await newStore();
    const { file, refusal } = opened;
    expect(await refusal(left, 'serve')).toBe(
      `Cannot use ${file}${suffix}: disk I/O error. Check the disk, which may be full.\n`,
    );
  },
);

test('a backup and a restore say that the disk is full', async () => {
  using opened = await newStore();
  const { folder, store, file, refusal } = opened;
  const backup = join(folder, 'backup.db');
  await runJson(store, 'pets', 'seed', '--count', '1000');
  await runJson(store, 'store', 'backup', backup);
  const restore = (left: number) => refusal(left, 'store', 'restore', backup, '--force');
  expect(await restore(40)).toStartWith(`Cannot use ${file}: ENOSPC: no space left on device`);
  // There is room for the copy, but not for its entry in the audit.
  const room = Math.ceil(statSync(backup).size / 1024);
  expect(await restore(room)).toMatch(/^Cannot use .*: database or disk is full\.\n$/);
  expect(await refusal(40, 'store', 'backup', `${file}.2`)).toBe(
    `Cannot use ${file}.2: database or disk is full.\n`,
  );
});
