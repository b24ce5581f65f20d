import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Deleted when it is disposed. The path has no symbolic links, because servers report it resolved. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'animal-store-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
