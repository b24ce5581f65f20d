import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Deleted when it is disposed. The path has no symbolic links, because servers report it resolved. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'animal-store-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const folders = new DisposableStack();

/** Deletes the folders of all new files. Tests call it at their end: `bun test` emits no `exit`. */
export function deleteFiles(): void {
  folders.dispose();
}
process.on('exit', deleteFiles);

export interface TestFile {
  readonly folder: string;
  readonly path: string;
  readonly url: string;
  readonly settings: { readonly DATABASE_URL: string };
}

/** A data file that does not exist yet, alone in a folder that is deleted at the end. */
export function newFile(): TestFile {
  const { path: folder } = folders.use(temporaryFolder());
  const path = join(folder, 'store.db');
  const url = `sqlite:${path}`;
  return { folder, path, url, settings: { DATABASE_URL: url } };
}
