import { afterAll } from 'bun:test';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

export interface TestFile {
  readonly path: string;
  readonly url: string;
  readonly settings: { readonly DATABASE_URL: string };
}

/** New data files in one folder. Call it once in a test file. */
export function testFiles(): () => TestFile {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  let files = 0;
  return () => {
    const path = join(folder.path, `${++files}.db`);
    const url = `sqlite:${path}`;
    return { path, url, settings: { DATABASE_URL: url } };
  };
}
