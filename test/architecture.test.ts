import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Glob } from 'bun';

/** Which folders of src a folder may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  sqlite: ['domain'],
  postgres: ['domain'],
  memory: ['domain'],
  redis: ['domain'],
  http: ['contract', 'domain'],
  operator: ['contract', 'domain'],
  conformance: [],
  client: ['contract', 'domain'],
};

/** Packages and built-in modules a folder may use; the others may use any. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  domain: ['zod'],
  contract: ['zod'],
  memory: [],
  conformance: [],
  client: [],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = [...new Glob('src/**/*.ts').scanSync('.')].map((file) => file.replaceAll('\\', '/'));

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const statements = source.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;]*?from\s+'([^']+)'/g);
  const dynamic = source.matchAll(/import\(\s*'([^']+)'/g);
  return [...statements, ...dynamic].map(([, target]) => ({ file, target: target as string }));
}

function folderOf(file: string): string {
  return relative('src', file).split('/')[0] ?? '';
}

const all = files.flatMap(importsOf);

describe('the import rules', () => {
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    test(`src/${folder} imports ${allowed.join(' and ') || 'no other folder'}`, () => {
      const strays = all.filter(({ file, target }) => {
        if (folderOf(file) !== folder || !target.startsWith('.')) return false;
        const path = join(dirname(file), target);
        if (path.startsWith('migrations/')) return false;
        return ![folder, ...allowed].includes(folderOf(path));
      });
      expect(strays).toEqual([]);
    });
  }

  for (const [folder, allowed] of Object.entries(MAY_USE)) {
    test(`src/${folder} uses ${allowed.join(' and ') || 'no package'}`, () => {
      const strays = all.filter(
        ({ file, target }) =>
          folderOf(file) === folder && !target.startsWith('.') && !allowed.includes(target),
      );
      expect(strays).toEqual([]);
    });
  }

  test('every folder has a rule, or is the command line, which sees everything', () => {
    const folders = new Set(files.map(folderOf).filter((name) => !name.endsWith('.ts')));
    expect([...folders].sort()).toEqual([...Object.keys(MAY_IMPORT), 'cli'].sort());
  });

  test('only config.ts reads the environment', () => {
    const readers = files.filter((file) =>
      /process\.env|Bun\.env/.test(readFileSync(file, 'utf8')),
    );
    expect(readers).toEqual(['src/config.ts']);
  });

  test('only platform.ts asks the machine for the time or for chance, and runtime.ts in the client', () => {
    const askers = files.filter((file) =>
      /Date\.now|new Date\(\)|Math\.random|randomBytes\(|randomUUID|getRandomValues/.test(
        readFileSync(file, 'utf8').replace(
          /mintSecret\([^)]*\)|\(randomBytes: |of randomBytes\(/g,
          '',
        ),
      ),
    );
    expect(askers.sort()).toEqual(['src/client/runtime.ts', 'src/platform.ts']);
  });

  test('only runtime.ts gives the client timers, and the clock that nobody sets', () => {
    const askers = files.filter(
      (file) =>
        folderOf(file) === 'client' &&
        /setTimeout|setInterval|performance\.now|AbortSignal\.timeout/.test(
          readFileSync(file, 'utf8'),
        ),
    );
    expect(askers).toEqual(['src/client/runtime.ts']);
  });

  test('no file has a name that says nothing', () => {
    const vague = files.filter((file) => /(utils?|helpers?|common|index)\.ts$/.test(file));
    expect(vague).toEqual([]);
  });
});
