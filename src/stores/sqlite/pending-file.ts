import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../../domain/error.ts';
import { identityOf } from './data-file.ts';

interface PendingFileOptions {
  /** Replace the file if it exists. */
  readonly overwrite: boolean;
  /** Files that must never be replaced. */
  readonly except: readonly string[];
}

/**
 * A file that is written under another name, in a folder next to it that nobody else uses. It appears
 * under its own name once it is complete and synced, or not at all.
 */
export function pendingFile(target: string, { overwrite, except }: PendingFileOptions) {
  function requireFree(): void {
    if (overwrite || !existsSync(target)) return;
    throw new OperatorError(`${target} already exists. To replace it, add --force.`);
  }

  if (isOneOf(target, except)) throw new OperatorError(`${target} belongs to the store itself.`);
  if (existsSync(target) && statSync(target).isDirectory()) {
    throw new OperatorError(`${target} is a folder. Name a file.`);
  }
  requireFree();
  const folder = toFile('write', target, () => mkdtempSync(`${target}.partial-`));
  const path = join(folder, basename(target));
  return {
    path,
    commit: () =>
      toFile('write', target, () => {
        sync(path);
        // Another program may have written the file meanwhile.
        requireFree();
        renameSync(path, target);
        sync(dirname(target));
      }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** True if the path leads to one of the files, by any name. */
export function isOneOf(path: string, files: readonly string[]): boolean {
  const own = identityOf(path);
  return own !== undefined && files.some((file) => identityOf(file) === own);
}

const NO_PERMISSION = 'this user has no permission';

/** The usual errors of the system, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

/** Runs a step with a file. Throws `OperatorError` if the system refuses it. */
export function toFile<T>(verb: 'copy' | 'write', what: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new OperatorError(`Cannot ${verb} ${what}: ${REASONS[code] ?? message}.`);
  }
}

export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
