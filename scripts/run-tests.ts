import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { TestPostgres } from '../test/support/postgres.ts';
import { installCommand, lacks, missingPrograms } from '../test/support/programs.ts';
import { TestRedis } from '../test/support/redis.ts';
import { newFolder } from '../test/support/temporary-folder.ts';
import { TEST_TIMEOUT_MS } from '../test/support/time.ts';

/**
 * Runs the tests on one PostgreSQL and one Redis. This script starts both servers, because when a test times out, Bun
 * kills every process that the test file has started.
 *
 * Without arguments, it runs the tests of `npm test`, and leaves out tests whose program is missing. With `--rest`, it
 * runs the files named `*.slow.test.ts`, which only `npm run test:all` runs. Other arguments choose test files.
 */
const chosen = process.argv.slice(2);

const files = [...new Glob('./test/**/*.test.ts').scanSync()].sort();
/** Slow tests are attacks, packages and long runs. A change rarely breaks them, and few contributors can wait for them. */
const isSlow = (file: string) => file.endsWith('.slow.test.ts');

await using resources = new AsyncDisposableStack();
const folder = newFolder();
const program = join(folder, 'program');
const env: Record<string, string | undefined> = { ...Bun.env, TEST_PROGRAM: program };
if (!lacks('postgres')) {
  // Without vacuum and compiled queries, the server takes two thirds of the CPU time for the small databases of tests.
  const settings = { max_connections: '300', autovacuum: 'off', jit: 'off' };
  env['TEST_POSTGRES_URL'] ??= resources.use(await TestPostgres.start(settings)).url;
}
if (!lacks('redis-server')) {
  env['TEST_REDIS_URL'] ??= resources.use(await TestRedis.start()).url;
}

// Tests start the program as a bundle, which takes half of the CPU time to start.
await Bun.build({
  entrypoints: ['src/main.ts', ...new Bun.Glob('src/**/*-worker.ts').scanSync('.')],
  target: 'bun',
  outdir: join(program, 'src'),
  splitting: true,
  sourcemap: 'inline',
  naming: { entry: '[name].ts', chunk: '[name]-[hash].js' },
});
for (const name of ['bunfig.toml', 'tsconfig.json']) {
  await Bun.write(join(program, name), Bun.file(name));
}
// Tests also start the program as other users.
chmodSync(folder, 0o755);

/** A part of the run: its name, the arguments for Bun, and the backend of the HTTP suite. */
type Part = readonly [name: string, words: readonly string[], backend?: string];

// A worker keeps the modules that it has loaded, because loading them again for each file takes much of the CPU time.
const test = ['test', '--parallel=6', '--no-isolate', `--timeout=${TEST_TIMEOUT_MS}`];
const EVERYDAY: readonly Part[] = [
  ['everyday tests', [...test, ...files.filter((file) => !isSlow(file))]],
  ...(lacks('postgres', 'redis-server') ? [] : [httpSuite('shared')]),
];
const OTHERS: readonly Part[] = [
  ['other tests', [...test, ...files.filter(isSlow)]],
  httpSuite('uncached'),
];

function httpSuite(backend: string): Part {
  return [`HTTP suite on the ${backend} backend`, [...test, 'test/http'], backend];
}

function chosenParts(): readonly Part[] {
  if (chosen.length === 0) return EVERYDAY;
  return chosen[0] === '--rest' ? OTHERS : [['chosen tests', [...test, ...chosen]]];
}

/** Runs the parts one after the other. Stops at the first part that fails, and returns its name. */
async function firstFailure(): Promise<string | undefined> {
  for (const [name, words, backend] of chosenParts()) {
    const child = Bun.spawn([process.execPath, ...words], {
      env: backend === undefined ? env : { ...env, TEST_BACKEND: backend },
      stdio: ['inherit', 'inherit', 'inherit'],
    });
    if ((await child.exited) !== 0) return name;
  }
  return undefined;
}

const failed = await firstFailure();
if (chosen.length === 0) {
  const missing = missingPrograms('everyday');
  if (missing.length > 0) {
    console.log(`\nThe tests that need ${missing.join(', ')} were left out.`);
    console.log(`To run them too, on Debian or Ubuntu: sudo ${installCommand(missing)}`);
  }
  console.log('To test attacks, packages and other runtimes too: npm run test:all');
}
const seconds = Math.round(performance.now() / 1000);
const verdict = failed === undefined ? 'All tests passed' : `Failed: the ${failed}`;
console.log(`${verdict} (${seconds} s).`);
process.exitCode = failed === undefined ? 0 : 1;
