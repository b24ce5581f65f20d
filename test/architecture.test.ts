import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';

/** Marks a folder that may use any package. */
const ANY_PACKAGE = '*';

/** Most folders that serve requests use these. */
const BASICS = ['src/domain', 'src/formats', 'src/timing'];

/**
 * The other folders, packages and built-in modules that each folder may use. A folder inside another one has its own
 * rule.
 */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  'src/formats': [],
  'src/timing': [],
  'src/domain': ['src/formats', 'zod'],
  'src/contract': ['src/domain', 'src/formats', 'zod'],
  'src/stores': ['src/domain', 'src/stores/sqlite', 'src/stores/postgres', ANY_PACKAGE],
  'src/stores/sql': [...BASICS, ANY_PACKAGE],
  'src/stores/sqlite': [...BASICS, 'src/stores', 'src/stores/sql', ANY_PACKAGE],
  'src/stores/postgres': [...BASICS, 'src/stores/sql', ANY_PACKAGE],
  'src/stores/cached': ['src/domain'],
  'src/limiters': ['src/domain', 'quick-lru'],
  'src/limiters/redis': [...BASICS, ANY_PACKAGE],
  'src/http': [...BASICS, 'src/contract', ANY_PACKAGE],
  'src/operator': ['src/contract', 'src/domain', 'src/formats', 'src/reference', ANY_PACKAGE],
  'src/reference': [
    'src/contract',
    'src/domain',
    'src/formats',
    'node:fs',
    'preact',
    'preact/hooks',
    'preact-render-to-string',
  ],
  'src/staging': ['src/contract', 'src/domain', 'src/http', ANY_PACKAGE],
  'packages/client/src': [],
  'packages/conformance/src': [],
  'packages/console/src': ['src/operator', 'preact', 'preact/hooks', 'uplot'],
};

/** They see everything: the command, its settings, and what starts a service. */
const ROOTS = ['src', 'src/cli', 'src/service'];

interface Import {
  readonly file: string;
  /** The path of a file in the repository, or the name of a package. */
  readonly target: string;
}

const files = ['src', 'packages'].flatMap((folder) => [
  ...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync('.'),
]);

function importsOf(file: string): Import[] {
  const source = readFileSync(file, 'utf8');
  const statements = source.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;]*?from\s+'([^']+)'/g);
  const dynamic = source.matchAll(/import\(\s*'([^']+)'/g);
  return [...statements, ...dynamic].map(([, target = '']) => ({
    file,
    target: target.startsWith('.') ? join(dirname(file), target) : target.replace(/^#/, 'src/'),
  }));
}

const isPackage = (target: string) => !/\.\w+$/.test(target);

/** The folder whose rule a file obeys. */
function folderOf(file: string): string {
  let folder = dirname(file);
  while (!(Object.hasOwn(MAY_USE, folder) || ROOTS.includes(folder) || folder === '.')) {
    folder = dirname(folder);
  }
  return folder;
}

function filesWith(pattern: RegExp, folders?: readonly string[]): string[] {
  return files
    .filter((file) => folders === undefined || folders.includes(folderOf(file)))
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .sort();
}

const all = files.flatMap(importsOf);

describe('the import rules', () => {
  for (const [folder, allowed] of Object.entries(MAY_USE)) {
    test(`${folder} uses ${allowed.join(' and ') || 'nothing else'}`, () => {
      const violations = all.filter(({ file, target }) => {
        if (folderOf(file) !== folder) return false;
        if (isPackage(target)) return !(allowed.includes(target) || allowed.includes(ANY_PACKAGE));
        if (/^migrations\/|\/generated\/|^CHANGELOG\.md$/.test(target)) return false;
        return ![folder, ...allowed].includes(folderOf(target));
      });
      expect(violations).toEqual([]);
    });
  }

  test('the page of the console knows only the shapes of its API, and only in one file', () => {
    const known = all
      .filter(
        ({ file, target }) => file.startsWith('packages/console') && target.startsWith('src/'),
      )
      .map(({ file, target }) => `${file} ${target}`);
    expect([...new Set(known)]).toEqual([
      'packages/console/src/service.ts src/operator/console-api/shapes.ts',
    ]);
  });
});

/** A flat list has nothing that a reader must remember. */
const FLAT_LISTS = ['src/operator/metrics.ts: render(): string {'];

test('every function fits on a screen of 70 lines', () => {
  // The code is formatted, so a function ends with the next brace that is indented like its beginning.
  const FUNCTION = /^( *)(\S.*(?:\)|\): .+|=>) \{)\n(?:\1 .*\n|\n)*\1\}/gm;
  const long = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(FUNCTION)]
      .filter(([text]) => text.split('\n').length > 70)
      .map(([, , beginning]) => `${file}: ${beginning}`),
  );
  expect(long).toEqual(FLAT_LISTS);
});

test('a name that src exports means one thing', () => {
  const names = files
    .filter((file) => file.startsWith('src/'))
    .flatMap((file) => {
      const declared = readFileSync(file, 'utf8').matchAll(
        /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
      );
      // A function with overloads is declared several times.
      return [...new Set(Array.from(declared, ([, name]) => name))];
    });
  const repeated = names.filter((name, index) => names.indexOf(name) !== index);
  // Each file of the command defines its group.
  expect(new Set(repeated)).toEqual(new Set(['define']));
});

test('the names that comments and READMEs quote exist', () => {
  const COMMENT = /^\s*(?:\/\/|\/?\*).*|\s\/\/ .*/gm;
  const NAME = /`(?:[\w#.]*[.#])?(\w*[a-z](?:[A-Z]|_[a-z])\w*)(?:\(\))?`/g;
  const textOf = (pattern: string) =>
    Array.from(new Glob(pattern).scanSync('.'), (file) => readFileSync(file, 'utf8')).join('\n');
  const source = textOf('src/**/*.{ts,tsx}');
  const code = textOf('{migrations,packages,src}/**/*.{lua,sql,ts,tsx}');
  const known = new Set(code.replace(COMMENT, '').match(/\w+/g));
  const documents = [textOf('CONTRIBUTING.md'), textOf('src/**/README.md')];
  const quoted = [...(source.match(COMMENT) ?? []), ...documents].join('\n').matchAll(NAME);
  const unknown = Array.from(quoted, ([, name = '']) => name).filter((name) => !known.has(name));
  // Others have named these: a word with the prefix of keys, and a method of browsers.
  expect(unknown.sort()).toEqual(['flask_app', 'scrollIntoView']);
});

test('the writer thread uses no package, because the start waits for the thread', async () => {
  const entrypoints = ['src/stores/sqlite/writer-worker.ts'];
  const { outputs } = await Bun.build({ entrypoints, target: 'bun' });
  expect(await outputs[0]?.text()).not.toContain('node_modules/');
});

/** The folders whose code serves requests. */
const SERVING = Object.keys(MAY_USE).filter((folder) =>
  /^src\/(?!stores\/postgres|limiters\/redis)/.test(folder),
);

test.each<[title: string, pattern: RegExp, folders: string[] | undefined, users: string[]]>([
  [
    'only main.ts, and runtime.ts of the client, read the environment',
    /(process|Bun|Deno)\??\.env/,
    undefined,
    ['packages/client/src/runtime.ts', 'src/main.ts'],
  ],
  [
    'commands do not use the process that runs them',
    /\bprocess\.\w|\bconsole\.\w|Bun\.std/,
    ['src/cli'],
    [],
  ],
  [
    'only platform.ts, and one file of the client and of the console, use the wall clock and randomness',
    /Date\.now|new Date\(\)|Math\.random|(?<!platform\.)\brandomBytes\b(?!:)|randomUUID|getRandomValues/,
    undefined,
    [
      'packages/client/src/runtime.ts',
      'packages/console/src/format.tsx',
      // Its caller passes the randomness.
      'src/domain/key-secret.ts',
      'src/platform.ts',
    ],
  ],
  [
    'the formats, the domain and the contract use neither timers nor a clock',
    /setTimeout|setInterval|setImmediate|queueMicrotask|performance\.now|AbortSignal\.timeout|Bun\.sleep/,
    ['src/formats', 'src/domain', 'src/contract'],
    [],
  ],
  [
    'the formats and the domain use nothing of the runtime',
    /\bBun\./,
    ['src/formats', 'src/domain'],
    [],
  ],
  [
    'the code that serves requests opens no connections and starts no programs',
    /\bfetch\(|Bun\.connect|Bun\.spawn|new WebSocket|\bconnect\(|createConnection|node:(https?|tls|child_process)/,
    SERVING,
    // That folder runs in the reader's browser.
    [
      'src/reference/browser/search-box.tsx',
      'src/reference/browser/send-request.ts',
      'src/reference/browser/usage-view.tsx',
    ],
  ],
])('%s', (_, pattern, folders, users) => {
  expect(filesWith(pattern, folders)).toEqual(users);
});
