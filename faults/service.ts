import { Database } from 'bun:sqlite';
import { copyFileSync, existsSync } from 'node:fs';
import type { Serving } from '../test/support/command.ts';
import { newFile } from '../test/support/temporary-folder.ts';

/** Returns true if the process that was started still runs and is healthy. */
export async function isAlive({ exitCode, started }: Serving): Promise<boolean> {
  const health = await fetch(`${started.operator}/health/live`).catch(() => undefined);
  return health?.ok === true && exitCode() === null;
}

/** The lines of the log that are neither information nor warnings, including the runtime's own messages. */
export function errorLines({ stderr }: Serving): readonly string[] {
  const lines = stderr().split('\n');
  return lines.filter((line) => line !== '' && !/^\{"level":"(info|warn)"/.test(line));
}

/**
 * Checks every page and index of a SQLite file that no service uses, together with its write-ahead log. It checks a
 * copy, so that the next service starts with the log that the last service left behind.
 */
export function isIntactFile(path: string): boolean {
  const copy = newFile().path;
  for (const suffix of ['', '-wal']) {
    if (existsSync(`${path}${suffix}`)) copyFileSync(`${path}${suffix}`, `${copy}${suffix}`);
  }
  using database = new Database(copy);
  const [row] = database.query('PRAGMA integrity_check').all() as { integrity_check: string }[];
  return row?.integrity_check === 'ok';
}
