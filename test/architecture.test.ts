import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Glob } from 'bun';

/** Which folders of src a folder may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  async: [],
  domain: [],
  contract: ['domain'],
  sqlite: ['domain', 'async'],
  postgres: ['domain', 'async'],
  memory: ['domain', 'async'],
  redis: ['domain', 'async'],
  cache: ['domain', 'async'],
  http: ['contract', 'domain', 'async'],
  docs: ['contract', 'domain'],
  operator: ['contract', 'domain'],
  conformance: [],
  client: ['contract', 'domain'],
};

/** Packages and built-in modules a folder may use. Other folders may use any. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  async: [],
  domain: ['zod'],
  contract: ['zod'],
  memory: ['quick-lru'],
  cache: ['quick-lru'],
  docs: [],
  conformance: [],
  client: [],
};

interface Import {
  readonly file: string;
  readonly target: string;
}

const files = [...new Glob('{src,bench}/**/*.{ts,tsx}').scanSync('.')].filter(
  (file) => !file.includes('node_modules'),
);
const sources = files.filter((file) => file.startsWith('src/'));

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const statements = source.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;]*?from\s+'([^']+)'/g);
  const dynamic = source.matchAll(/import\(\s*'([^']+)'/g);
  return [...statements, ...dynamic].map(([, target]) => ({ file, target: target as string }));
}

function folderOf(file: string): string {
  return relative('src', file).split('/')[0] ?? '';
}

function filesWith(pattern: RegExp, folder?: string): string[] {
  return sources
    .filter((file) => folder === undefined || folderOf(file) === folder)
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .sort();
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

  test('every folder has a rule, except the command line, which sees everything', () => {
    const folders = new Set(sources.map(folderOf).filter((name) => !name.endsWith('.ts')));
    expect([...folders].sort()).toEqual([...Object.keys(MAY_IMPORT), 'cli'].sort());
  });

  test('no import leads back to its own file', () => {
    const targets = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(({ target }) => target.startsWith('.'))
          .map(({ target }) => join(dirname(file), target)),
      ]),
    );
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (path.includes(file) || done.has(file)) return;
      for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });
});

describe('the machine', () => {
  test('only config.ts reads the environment', () => {
    expect(filesWith(/process\.env|Bun\.env/)).toEqual(['src/config.ts']);
  });

  test('only platform.ts reads the clock and randomness, and runtime.ts in the client', () => {
    const readers =
      /Date\.now|new Date\(\)|Math\.random|(?<!platform\.)\brandomBytes\b(?!:)|randomUUID|getRandomValues/;
    const minting = filesWith(readers).filter((file) => file !== 'src/domain/key-secret.ts');
    expect(minting).toEqual(['src/client/runtime.ts', 'src/platform.ts']);
  });

  test('the domain and the contract have no timers and read no clock', () => {
    const timers =
      /setTimeout|setInterval|setImmediate|queueMicrotask|performance\.now|AbortSignal\.timeout|Bun\.sleep/;
    expect([...filesWith(timers, 'domain'), ...filesWith(timers, 'contract')]).toEqual([]);
  });

  test('only runtime.ts gives the client timers and a monotonic clock', () => {
    const timers = /setTimeout|setInterval|performance\.now|AbortSignal\.timeout/;
    expect(filesWith(timers, 'client')).toEqual(['src/client/runtime.ts']);
  });
});

test('no file has a name that says nothing', () => {
  expect(files.filter((file) => /\/(utils?|helpers?|common|index)\.tsx?$/.test(file))).toEqual([]);
});
