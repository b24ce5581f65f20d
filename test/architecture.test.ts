import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Glob } from 'bun';

/** The other folders of src that a folder may import from. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  async: [],
  domain: [],
  contract: ['domain'],
  files: ['domain'],
  sql: ['domain'],
  sqlite: ['domain', 'async', 'sql', 'files'],
  postgres: ['domain', 'async', 'sql'],
  memory: ['domain', 'async'],
  redis: ['domain', 'async'],
  cache: ['domain', 'async'],
  http: ['contract', 'domain', 'async'],
  console: ['contract', 'docs'],
  docs: ['contract', 'domain'],
  operator: ['contract', 'domain'],
  staging: ['contract', 'domain', 'async'],
  conformance: [],
  client: [],
};

/** The packages and built-in modules that a folder may use. Folders not listed may use any. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  async: [],
  domain: ['zod'],
  contract: ['zod'],
  memory: ['quick-lru'],
  cache: ['quick-lru'],
  docs: ['preact', 'preact/hooks', 'preact-render-to-string'],
  console: ['preact', 'preact/hooks', 'uplot'],
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

/** Their code is text for readers. */
const SAMPLES = 'src/docs/samples/';

function filesWith(pattern: RegExp, folder?: string): string[] {
  return sources
    .filter((file) => !file.startsWith(SAMPLES))
    .filter((file) => folder === undefined || folderOf(file) === folder)
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .sort();
}

const all = files.flatMap(importsOf);

describe('the import rules', () => {
  for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
    test(`src/${folder} imports ${allowed.join(' and ') || 'no other folder'}`, () => {
      const violations = all.filter(({ file, target }) => {
        if (folderOf(file) !== folder || !target.startsWith('.')) return false;
        const path = join(dirname(file), target);
        if (path.startsWith('migrations/') || path === 'CHANGELOG.md') return false;
        return ![folder, ...allowed].includes(folderOf(path));
      });
      expect(violations).toEqual([]);
    });
  }

  for (const [folder, allowed] of Object.entries(MAY_USE)) {
    test(`src/${folder} uses ${allowed.join(' and ') || 'no package'}`, () => {
      const violations = all.filter(
        ({ file, target }) =>
          folderOf(file) === folder && !target.startsWith('.') && !allowed.includes(target),
      );
      expect(violations).toEqual([]);
    });
  }

  test('every folder has a rule, except cli, which may import everything', () => {
    const folders = new Set(sources.map(folderOf).filter((name) => !name.endsWith('.ts')));
    expect([...folders].sort()).toEqual([...Object.keys(MAY_IMPORT), 'cli'].sort());
  });

  test('there are no import cycles', () => {
    const targets = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(({ target }) => target.startsWith('.'))
          .map(({ target }) => join(dirname(file), target)),
      ]),
    );
    const cycles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (path.includes(file) || done.has(file)) return;
      for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });
});

describe('the environment, the clock and timers', () => {
  test('only config.ts, and platform.ts of the client, read the environment', () => {
    const readers = filesWith(/(process|Bun|Deno)\??\.env/);
    expect(readers).toEqual(['src/client/platform.ts', 'src/config.ts']);
  });

  test('only platform.ts, and one file of the client and of the console, use the wall clock and randomness', () => {
    const pattern =
      /Date\.now|new Date\(\)|Math\.random|(?<!platform\.)\brandomBytes\b(?!:)|randomUUID|getRandomValues/;
    const users = filesWith(pattern).filter((file) => file !== 'src/domain/key-secret.ts');
    expect(users).toEqual(['src/client/runtime.ts', 'src/console/clock.ts', 'src/platform.ts']);
  });

  test('the domain and the contract use neither timers nor a clock', () => {
    const timers =
      /setTimeout|setInterval|setImmediate|queueMicrotask|performance\.now|AbortSignal\.timeout|Bun\.sleep/;
    expect([...filesWith(timers, 'domain'), ...filesWith(timers, 'contract')]).toEqual([]);
  });

  test('only runtime.ts in the client uses timers and a monotonic clock', () => {
    const timers = /setTimeout|setInterval|performance\.now|AbortSignal\.timeout/;
    expect(filesWith(timers, 'client')).toEqual(['src/client/runtime.ts']);
  });
});

test('the code that serves requests opens no connections and starts no programs', () => {
  const outgoing =
    /\bfetch\(|Bun\.connect|Bun\.spawn|new WebSocket|\bconnect\(|createConnection|node:(https?|tls|child_process)/;
  const serving = ['http', 'docs', 'operator', 'contract', 'domain', 'cache', 'memory', 'sqlite'];
  const found = serving.flatMap((folder) => filesWith(outgoing, folder));
  // That folder runs in the reader's browser.
  expect(found.filter((file) => !file.startsWith('src/docs/browser/'))).toEqual([]);
});

test('no file is named utils, helpers, common or index', () => {
  expect(files.filter((file) => /\/(utils?|helpers?|common|index)\.tsx?$/.test(file))).toEqual([]);
});
