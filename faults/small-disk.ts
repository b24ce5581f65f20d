import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { requireProgram } from '../test/support/programs.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

const SIZE = '32m';

/** A folder whose disk can be filled. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves no space for the store of a service. */
  fill(store: string, pid: number): void;
  free(pid: number): void;
}

/** A file system in memory if this user can mount one, else files of a limited size. */
export function smallDisk(): SmallDisk {
  const folder = temporaryFolder();
  const isMounted = run('mount', '-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder.path);
  return isMounted ? inMemory(folder) : withLimitedFiles(folder);
}

function inMemory(folder: ReturnType<typeof temporaryFolder>): SmallDisk {
  const ballast = join(folder.path, 'ballast');
  const unmount = () => run('umount', '--lazy', folder.path);
  process.once('exit', unmount);
  return {
    path: folder.path,
    fill: () => run('dd', 'if=/dev/zero', `of=${ballast}`, 'bs=4096'),
    free: () => rmSync(ballast),
    [Symbol.dispose]() {
      process.off('exit', unmount);
      unmount();
      folder[Symbol.dispose]();
    },
  };
}

function withLimitedFiles(folder: ReturnType<typeof temporaryFolder>): SmallDisk {
  const prlimit = requireProgram('prlimit', 'util-linux');
  const limit = (pid: number, bytes: number | 'unlimited') =>
    run(prlimit, '--pid', String(pid), `--fsize=${bytes}:`);
  return {
    path: folder.path,
    fill: (store, pid) => limit(pid, statSync(`${store}-wal`).size),
    free: (pid) => limit(pid, 'unlimited'),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function run(...words: string[]): boolean {
  return Bun.spawnSync(words, { stderr: 'ignore' }).exitCode === 0;
}
