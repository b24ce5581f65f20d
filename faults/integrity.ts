import { Database } from 'bun:sqlite';

/** Checks every page and index of a SQLite file that no service uses. */
export function isIntactFile(path: string): boolean {
  using database = new Database(path);
  const [row] = database.query('PRAGMA integrity_check').all() as { integrity_check: string }[];
  return row?.integrity_check === 'ok';
}
