import { afterAll, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { launchBrowser } from '../browser/browser.ts';
import { NODE_PACKAGE, npm, registryPackages, runIn } from '../package/release.ts';
import { runLine, serveWithKey } from '../support/command.ts';
import { newFolder } from '../support/temporary-folder.ts';

const REPOSITORY = join(import.meta.dir, '../..');
const CONSUMER = join(import.meta.dir, 'consumer.ts');
const TSC = join(REPOSITORY, 'node_modules/.bin/tsc');
const TYPES = join(REPOSITORY, 'node_modules/@types');
const MAX_BYTES = 8_000;
const NODE_VERSIONS = ['20', '22', '24', '26'];

// The checks of packages are pinned, because a new rule must not fail an old commit.
const tools = registryPackages(
  ...NODE_VERSIONS.map((major) => `node${major}@npm:${NODE_PACKAGE}@${major}`),
  'deno@2',
  '@arethetypeswrong/core@0.18.5',
);
const project = newFolder();
const service = await serveWithKey();
const key = service.secret;
const clientUrl = `${service.started.listening}/client.tgz`;
afterAll(() => service[Symbol.asyncDispose]());

// A project with the client installed from the service.
await Bun.write(join(project, 'package.json'), '{ "private": true, "type": "module" }');
npm.run(project, 'install', clientUrl);
// The same program as ESM and as CommonJS.
cpSync(CONSUMER, join(project, 'consumer.ts'));
cpSync(CONSUMER, join(project, 'consumer.cts'));
const readme = await Bun.file(join(REPOSITORY, 'README.md')).text();
await Bun.write(join(project, 'example.ts'), /```ts\n([^`]+)```/.exec(readme)?.[1] ?? '');
const types = { lib: ['es2022'], types: ['node'], typeRoots: [TYPES] };
await compile({ module: 'nodenext', ...types }, 'consumer.ts', 'consumer.cts', 'example.ts');

/** Runs a program in the project. It must succeed. */
function runProgram(...words: string[]) {
  const { exitCode, stdout, stderr } = runIn(project, npm.path, words);
  expect(exitCode, stdout + stderr).toBe(0);
  return stdout;
}

/** Compiles files against the installed types, and checks those too. */
async function compile(options: object, ...files: string[]) {
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    rootDir: '.',
    ...options,
  };
  await Bun.write(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  runProgram(TSC);
}

test('the published types compile with a bundler, for browsers', async () => {
  const types = { lib: ['es2022', 'dom'], types: [], noEmit: true };
  await compile({ module: 'preserve', ...types }, 'consumer.ts');
});

/** The result of `consume` on every runtime and in both formats. */
function consumed(tag: string) {
  return [
    'created 9223372036854775807',
    'listed true',
    `iterated added Tom ${tag},Rex ${tag},Tom ${tag}`,
    'found 9223372036854775807',
    'found undefined',
    'ApiError 404 of getPet',
    'TypeError: Pass apiKey to new AnimalStore, or set ANIMAL_STORE_API_KEY in the environment.',
  ];
}

const [deno = ''] = new Glob('@deno/*/deno{,.exe}').scanSync({ cwd: tools });

const RUNTIMES: [name: string, command: string[]][] = [
  ...NODE_VERSIONS.map((major): [string, string[]] => [
    `Node ${major}`,
    [join(tools, `node${major}/bin/node`)],
  ]),
  [`Bun ${Bun.version}`, [process.execPath]],
  ['Deno 2', [join(tools, deno), 'run', '--no-prompt', '--allow-net', '--allow-read']],
];

/** Consumes the ESM and the CommonJS module, and fails on any warning. */
const RUN = `process.on('warning', (warning) => { throw warning; });
  const [url, key, runtime] = process.argv.slice(2);
  import('./consumer.js').then(async ({ consume }) => {
    const esm = await consume(url, key, runtime + ' ESM');
    const cjs = await require('./consumer.cjs').consume(url, key, runtime + ' CommonJS');
    console.log(JSON.stringify({ esm, cjs }));
  });`;

test.each(RUNTIMES)('the installed client runs on %s in both formats', async (name, command) => {
  await Bun.write(join(project, 'run.cjs'), RUN);
  const line = [...command, 'run.cjs', service.started.api, key, name];
  const variables = { DENO_DIR: join(project, 'deno'), DENO_NO_UPDATE_CHECK: '1' };
  const { stdout, stderr } = await runLine(line, variables, project);
  expect(stderr).toBe('');
  const [esm, cjs] = [consumed(`${name} ESM`), consumed(`${name} CommonJS`)];
  expect(JSON.parse(stdout)).toEqual({ esm, cjs });
});

test('the installed client runs in Chromium on a page of another origin', async () => {
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">
    { "imports": { "@animal-store/client": "/node_modules/@animal-store/client/dist/client.js" } }
    </script>`;
  using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname !== '/') return new Response(Bun.file(join(project, pathname)));
      return new Response(page, { headers: { 'Content-Type': 'text/html' } });
    },
  });
  await using chromium = await launchBrowser();
  const tab = await chromium.newPage();
  await tab.goto(site.url.href);
  const result = await tab.evaluate(
    `import('/consumer.js').then(({ consume }) =>
      consume('${service.started.api}', '${key}', 'Chromium'))`,
  );
  expect(result).toEqual(consumed('Chromium'));
});

test('the README example compiles and runs on Node', async () => {
  const program = Bun.file(join(project, 'example.js'));
  await using service = await serveWithKey();
  const example = await program.text();
  await program.write(example.replace('http://127.0.0.1:8080/v1', service.started.api));
  const key = `ANIMAL_STORE_API_KEY=${service.secret}`;
  expect(runProgram('env', key, 'node', 'example.js')).toBe('Rex 1n\nRex\n');
});

test('the client module is smaller than 8 kB, minified and compressed', async () => {
  const entry = join(project, 'bundle-entry.js');
  await Bun.write(entry, `export * from '@animal-store/client';`);
  const { outputs } = await Bun.build({ entrypoints: [entry], minify: true });
  const code = (await outputs[0]?.text()) ?? '';
  expect(code).toContain('x-ratelimit-limit');
  expect(Bun.gzipSync(code).byteLength).toBeLessThan(MAX_BYTES);
});

test('the package has types that match its modules in every way of resolving them, according to attw', async () => {
  const attw = await import(Bun.resolveSync('@arethetypeswrong/core', tools));
  const packed = attw.createPackageFromTarballData(await (await fetch(clientUrl)).bytes());
  const { types, problems } = await attw.checkPackage(packed);
  expect(types).toEqual({ kind: 'included' });
  expect(problems).toEqual([]);
});
