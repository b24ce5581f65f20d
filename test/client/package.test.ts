import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { version } from '../../package.json' with { type: 'json' };
import { launchBrowser } from '../support/browser.ts';
import { serve } from '../support/command.ts';
import { installClient, runProgram } from '../support/installed-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// Only ends a test that hangs.
setDefaultTimeout(600_000);

const CONSUMER = join(import.meta.dir, 'consumer.ts');
const TSC = join(import.meta.dir, '../../node_modules/.bin/tsc');
const TYPES = join(import.meta.dir, '../../node_modules/@types');
const MAX_BYTES = 8_000;
const NODE_VERSION = runProgram('.', 'node', '-p', 'process.versions.node').trim();

/** The result of `consume` on every runtime. */
const CONSUMED = [
  'created 9223372036854775807',
  'listed true, next undefined',
  'iterated Rex,Tom',
  'ApiError 404 of getPet',
];

let project: Awaited<ReturnType<typeof installClient>>;

beforeAll(async () => {
  project = await installClient();
  cpSync(CONSUMER, join(project.path, 'consumer.ts'));
}, 600_000);

afterAll(() => project[Symbol.dispose]());

function clientModule(): string {
  return join(project.path, 'node_modules/@animal-store/client/dist/client.js');
}

/** Compiles a file against the installed types, and checks those too. */
async function compile(
  module: 'nodenext' | 'preserve',
  environment: object,
  file = 'consumer.ts',
): Promise<void> {
  const compilerOptions = {
    ...{ module, moduleResolution: module === 'nodenext' ? 'nodenext' : 'bundler' },
    ...{ target: 'es2022', strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
    ...{ rootDir: '.', ...environment },
  };
  await Bun.write(
    join(project.path, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [file] }),
  );
  runProgram(project.path, TSC);
}

const browser = { lib: ['es2022', 'dom'], types: [] };
const node = { lib: ['es2022'], types: ['node'], typeRoots: [TYPES] };

describe('the published types', () => {
  test.each([
    ['with nodenext, for browsers', 'nodenext', browser],
    ['with nodenext, for Node', 'nodenext', node],
    ['with a bundler, for browsers', 'preserve', browser],
    ['with a bundler, for Node', 'preserve', node],
  ] as const)('compile %s', async (_, module, environment) => {
    await compile(module, environment);
  });
});

test('the tests run on Node 20 or later', () => {
  expect(Number(NODE_VERSION.split('.')[0])).toBeGreaterThanOrEqual(20);
});

test.each([
  [`Node ${NODE_VERSION}`, 'node'],
  [`Bun ${Bun.version}`, process.execPath],
])('the installed client runs on %s', async (_, runtime) => {
  await compile('nodenext', node);
  const script = `process.on('warning', (warning) => { throw warning; });
    const { consume } = await import('./consumer.js');
    console.log(JSON.stringify(await consume(...process.argv.slice(2))));`;
  await Bun.write(join(project.path, 'run.js'), script);
  using data = temporaryFolder();
  await using service = await serve({ DATABASE_URL: `sqlite:${join(data.path, 'store.db')}` });
  const { api, demoKey = '' } = service.started;
  const printed = runProgram(project.path, runtime, 'run.js', api, demoKey);
  expect(JSON.parse(printed)).toEqual(CONSUMED);
});

test('onWait is called once per wait on Node, whose timers fire early', async () => {
  const script = `import { AnimalStore } from '@animal-store/client';
    async function countWaits(_, index) {
      // Staggered, because timers for the same moment fire together, and late.
      await new Promise((resolve) => setTimeout(resolve, 10 * index));
      let waits = 0;
      let requests = 0;
      const store = new AnimalStore({
        baseUrl: 'https://shop.example/v1',
        apiKey: 'ask_test',
        maxRetries: 0,
        hooks: { onWait: () => waits++ },
        fetch: async () => {
          if (requests++ === 0) throw new TypeError('connection refused');
          return new Response('[]');
        },
      });
      await store.listPets().catch(() => {});
      await store.listPets();
      return waits;
    }
    console.log(Math.max(...(await Promise.all(Array.from({ length: 60 }, countWaits)))));`;
  await Bun.write(join(project.path, 'waits.js'), script);
  expect(runProgram(project.path, 'node', 'waits.js')).toBe('1\n');
});

test('the installed client runs in Chromium on a page of another origin', async () => {
  await compile('preserve', browser);
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">
    { "imports": { "@animal-store/client": "/node_modules/@animal-store/client/dist/client.js" } }
    </script>`;
  using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname !== '/') return new Response(Bun.file(join(project.path, pathname)));
      return new Response(page, { headers: { 'Content-Type': 'text/html' } });
    },
  });
  using data = temporaryFolder();
  await using service = await serve({ DATABASE_URL: `sqlite:${join(data.path, 'store.db')}` });
  const { api, demoKey = '' } = service.started;
  const chromium = await launchBrowser();
  try {
    const tab = await chromium.newPage();
    await tab.goto(site.url.href);
    const consumed = await tab.evaluate(
      `import('/consumer.js').then(({ consume }) => consume('${api}', '${demoKey}'))`,
    );
    expect(consumed).toEqual(CONSUMED);
  } finally {
    await chromium.close();
  }
});

test('the README example compiles and runs on Node', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../../README.md')).text();
  const example = /```ts\n([^`]+)```/.exec(readme)?.[1] ?? '';
  using data = temporaryFolder();
  await using service = await serve({ DATABASE_URL: `sqlite:${join(data.path, 'store.db')}` });
  const { api, demoKey = '' } = service.started;
  const here = example.replace('http://127.0.0.1:8080/v1', api).replace('ask_…', demoKey);
  await Bun.write(join(project.path, 'example.ts'), here);
  await compile('nodenext', node, 'example.ts');
  expect(runProgram(project.path, 'node', 'example.js')).toBe('Rex 1n\nRex\n');
});

test('the types mark getPet as deprecated and hide the constructor for tests', async () => {
  const types = 'node_modules/@animal-store/client/dist/types/animal-store.d.ts';
  const source = await Bun.file(join(project.path, types)).text();
  expect(source).toMatch(/@deprecated[^/]*\*\/\s*getPet\(/);
  expect(source.match(/@deprecated/g)).toHaveLength(1);
  expect(source).not.toMatch(/runtime/i);
});

describe('the client module', () => {
  test('imports nothing', async () => {
    const source = await Bun.file(clientModule()).text();
    expect(new Bun.Transpiler({ loader: 'js' }).scanImports(source)).toEqual([]);
  });

  test('is smaller than 8 kB, minified and compressed', async () => {
    const { outputs } = await Bun.build({ entrypoints: [clientModule()], minify: true });
    const minified = (await outputs[0]?.text()) ?? '';
    expect(minified).toContain('x-ratelimit-limit');
    expect(Bun.gzipSync(minified).byteLength).toBeLessThan(MAX_BYTES);
  });
});

describe('the package', () => {
  test('is the only package that its installation adds', () => {
    const installed = [...new Glob('**/package.json').scanSync(join(project.path, 'node_modules'))];
    expect(installed).toEqual(['@animal-store/client/package.json']);
  });

  test('has the version of the service, its license and its documentation', async () => {
    const folder = join(project.path, 'node_modules/@animal-store/client');
    expect((await Bun.file(join(folder, 'package.json')).json()).version).toBe(version);
    expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  });
});
