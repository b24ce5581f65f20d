import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

const ROOT = join(import.meta.dir, '..');
const MAIN = 'src/main.ts';

export interface ServiceCopy extends Disposable {
  /** Makes a command line run the copy. */
  wrap(words: string[]): string[];
}

/** A copy of the service with a fault built in, to prove that an attack finds it. */
export function serviceCopy(file: string, sound: string, faulty: string): ServiceCopy {
  const folder = temporaryFolder();
  for (const part of ['src', 'migrations', 'package.json']) {
    cpSync(join(ROOT, part), join(folder.path, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  const source = readFileSync(join(ROOT, file), 'utf8');
  if (!source.includes(sound)) throw new Error(`${file} does not contain ${sound}`);
  writeFileSync(
    join(folder.path, file),
    source.replace(sound, () => faulty),
  );
  return {
    wrap: (words) => words.map((word) => (word.endsWith(MAIN) ? join(folder.path, MAIN) : word)),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
