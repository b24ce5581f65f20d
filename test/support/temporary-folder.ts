import { Database } from 'bun:sqlite';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A folder that is deleted at the end. Its path has no symbolic links: servers report it resolved. */
export function newFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'animal-store-')));
  folders.push(path);
  return path;
}

/** Tests call it after the last one, because `bun test` emits no `exit`. */
export function deleteFolders(): void {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
}
process.on('exit', deleteFolders);

/** A data file that does not exist yet, alone in a new folder. */
export function newFile() {
  const folder = newFolder();
  const path = join(folder, 'store.db');
  const url = `sqlite:${path}`;
  return { folder, path, url, settings: { DATABASE_URL: url } };
}

/** Changes a data file as another program would. */
export function changeFile(path: string, sql: string): void {
  using database = new Database(path);
  database.run(sql);
}

/** Overwrites a part of a file in place, also while others read it. */
export function damageFile(path: string, from: number, to: number): void {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(to - from, 0xff), 0, to - from, from);
  closeSync(descriptor);
}
