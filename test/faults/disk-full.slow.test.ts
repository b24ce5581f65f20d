import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { commandLine, runJson, runLine } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { createStore } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';

/** Runs words with a disk of one megabyte at $1, which has a copy of the files in $2 and $3 KiB left. */
const ON_FULL_DISK = `mount -t tmpfs -o size=1m tmpfs "$1" && cp "$2"/* "$1"
  head -c "$3k" /dev/zero > "$1/spare"
  cat /dev/zero > "$1/rest" 2> /dev/null
  rm "$1/spare"
  shift 3
  exec "$@"`;

/** A store, and a way to run commands with a copy of it on a disk that is full. */
async function newStore() {
  const source = newFile();
  await createStore(source.url);
  const disk = newFile();
  const refusal = async (left: number, ...words: string[]) => {
    const { exitCode, stdout, stderr } = await runLine(
      [
        ...[requireProgram('unshare'), '--user', '--map-root-user', '--mount'],
        ...[
          'sh',
          '-c',
          ON_FULL_DISK,
          'sh',
          disk.folder,
          source.folder,
          `${left}`,
          ...commandLine(...words),
        ],
      ],
      disk.settings,
    );
    expect([exitCode, stdout]).toEqual([1, '']);
    return stderr;
  };
  return { store: source.settings, file: disk.path, refusal };
}

test.each([
  [0, ''],
  [40, '-usage'],
])(
  'a start fails with one line if the disk has no room to open a file (%d KiB left)',
  async (left, suffix) => {
    const { file, refusal } = await newStore();
    expect(await refusal(left, 'serve')).toBe(
      `Cannot use ${file}${suffix}: disk I/O error. Check the disk, which may be full.\n`,
    );
  },
);

test('a backup and a restore say that the disk is full', async () => {
  const { store, file, refusal } = await newStore();
  const backup = newFile().path;
  await runJson(store, 'pets seed --count 1000');
  await runJson(store, 'store backup', backup);
  const restore = (left: number) => refusal(left, 'store', 'restore', backup, '--force');
  expect(await restore(40)).toStartWith(`Cannot use ${file}: no space left on device`);
  // There is room for the copy, but not for its entry in the audit.
  const room = Math.ceil(statSync(backup).size / 1024);
  expect(await restore(room)).toMatch(/^Cannot use .*: database or disk is full\.\n$/);
  expect(await refusal(40, 'store', 'backup', `${file}.2`)).toBe(
    `Cannot use ${file}.2: database or disk is full.\n`,
  );
});
