import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that goes away with the test that made it. Servers report its path without symbolic links. */
export function temporaryFolder(): Disposable & { readonly path: string } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'animal-store-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
