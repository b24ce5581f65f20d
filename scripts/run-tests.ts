import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { TEST_TIMEOUT_MS } from '../test/support/hang.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { TestRedis } from '../test/support/redis.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

/**
 * Runs the tests on one PostgreSQL and one Redis, started here because Bun kills every process that
 * a test file has started when one of its tests times out.
 * Arguments choose test files. Without any, all run, and the HTTP suite again without caches and on
 * both servers.
 */
const bun = process.execPath;
const chosen = process.argv.slice(2);
await using resources = new AsyncDisposableStack();
const folder = resources.use(temporaryFolder());
const env: Record<string, string | undefined> = { ...Bun.env };
if (env['TEST_POSTGRES_URL'] === undefined) {
  env['TEST_POSTGRES_URL'] = resources.use(
    await TestPostgres.start({ max_connections: '300' }),
  ).url;
}
if (env['TEST_REDIS_URL'] === undefined) {
  env['TEST_REDIS_URL'] = resources.use(await TestRedis.start()).url;
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
  const child = Bun.spawn([bun, ...words], {
    env: { ...env, ...settings },
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  return (await child.exited) === 0;
}

function runHttpSuite(backend: string): Promise<boolean> {
  return run([...test, 'test/http'], { TEST_BACKEND: backend });
}

if (chosen.length === 0) env['TEST_PROGRAM'] = await bundleProgram();

const test = ['test', '--parallel=6', `--timeout=${TEST_TIMEOUT_MS}`];
const coverage = ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${folder.path}`];
const passed =
  chosen.length > 0
    ? await run([...test, ...chosen])
    : (await run([...test, ...coverage])) &&
      (await run(['scripts/check-coverage.ts', join(folder.path, 'lcov.info')])) &&
      (await Promise.all(['uncached', 'shared'].map(runHttpSuite))).every(Boolean);
process.exitCode = passed ? 0 : 1;
