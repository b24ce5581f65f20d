import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import { TEST_TIMEOUT_MS } from '../test/support/hang.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { installCommand, lacks, missingPrograms } from '../test/support/programs.ts';
import { TestRedis } from '../test/support/redis.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

/**
 * Runs the tests on one PostgreSQL and one Redis, started here because Bun kills every process that
 * a test file has started when one of its tests times out.
 *
 * Without arguments: the tests of `npm test`, which leaves out what needs a missing program.
 * With `--rest`: the tests that only `npm run test:all` runs. Other arguments choose test files.
 */
const chosen = process.argv.slice(2);

/** Attacks, releases and long runs, which a change rarely breaks. */
const REST = [
  'test/binary.test.ts',
  'test/browser/details',
  'test/client/package.test.ts',
  'test/conformance/broken',
  'test/deploy.test.ts',
  'test/faults/',
  'test/limiters/redis-cluster.test.ts',
  'test/limiters/redis-pauses.test.ts',
  'test/limiters/redis-sentinel.test.ts',
  'test/operator/prometheus.test.ts',
  'test/package/',
  'test/reference/samples.test.ts',
];

const files = [...new Glob('./test/**/*.test.ts').scanSync()].sort();
const isRest = (file: string) => REST.some((start) => file.startsWith(`./${start}`));
const everyday = files.filter((file) => !isRest(file));
const rest = files.filter(isRest);

await using resources = new AsyncDisposableStack();
const folder = resources.use(temporaryFolder());
const env: Record<string, string | undefined> = { ...Bun.env };
if (!lacks('postgres')) {
  env['TEST_POSTGRES_URL'] ??= resources.use(
    await TestPostgres.start({ max_connections: '300' }),
  ).url;
}
if (!lacks('redis-server')) {
  env['TEST_REDIS_URL'] ??= resources.use(await TestRedis.start()).url;
}

/** The program as a bundle, which takes half of the CPU time to start. */
async function bundleProgram(): Promise<string> {
  const root = join(folder.path, 'program');
  // Tests also start it as other users.
  chmodSync(folder.path, 0o755);
  await Bun.build({
    entrypoints: ['src/main.ts', 'src/stores/sqlite/writer-worker.ts'],
    target: 'bun',
    outdir: join(root, 'src'),
    splitting: true,
    sourcemap: 'inline',
    naming: { entry: '[name].ts', chunk: '[name]-[hash].js' },
  });
  for (const name of ['bunfig.toml', 'tsconfig.json']) {
    await Bun.write(join(root, name), Bun.file(name));
  }
  return root;
}

async function run(words: string[], settings: Record<string, string> = {}): Promise<boolean> {
  const child = Bun.spawn([process.execPath, ...words], {
    env: { ...env, ...settings },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  return (await child.exited) === 0;
}

const test = ['test', '--parallel=6', `--timeout=${TEST_TIMEOUT_MS}`];

function runHttpSuite(backend: string): Promise<boolean> {
  return run([...test, 'test/http'], { TEST_BACKEND: backend });
}

async function runEveryday(): Promise<boolean> {
  const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder.path}`];
  return (
    (await run([...test, ...coverage, ...everyday])) &&
    (await run(['scripts/check-coverage.ts', join(folder.path, 'lcov.info')])) &&
    (lacks('postgres', 'redis-server') || (await runHttpSuite('shared')))
  );
}

async function runRest(): Promise<boolean> {
  return (await run([...test, ...rest])) && (await runHttpSuite('uncached'));
}

async function runChosen(): Promise<boolean> {
  if (chosen.length > 0 && chosen[0] !== '--rest') return run([...test, ...chosen]);
  env['TEST_PROGRAM'] = await bundleProgram();
  return chosen[0] === '--rest' ? runRest() : runEveryday();
}

process.exitCode = (await runChosen()) ? 0 : 1;
if (chosen.length === 0) {
  const missing = missingPrograms('everyday');
  if (missing.length > 0) {
    console.log(`\nLeft out: tests that need ${missing.join(', ')}.`);
    console.log(`To add them, on Debian or Ubuntu: sudo ${installCommand(missing)}`);
  }
  console.log('Attacks, packages and other runtimes: npm run test:all');
}
