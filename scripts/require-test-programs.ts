import { requireChromium } from '../test/support/browser.ts';
import { postgresPrograms } from '../test/support/postgres.ts';
import { pythonWithYaml, requireProgram } from '../test/support/programs.ts';

/** Finds or installs the programs that the tests need, before any test starts. */
try {
  const programs = ['strace', 'curl', 'openssl', 'pgbouncer', 'faketime', 'sqlite3'];
  for (const name of programs) requireProgram(name);
  requireProgram('nginx', 'nginx-light');
  for (const name of ['prometheus', 'promtool']) requireProgram(name, 'prometheus');
  requireProgram('systemd-analyze', 'systemd');
  requireChromium();
  pythonWithYaml();
  requireProgram('go', 'golang-go');
  for (const name of ['setpriv', 'prlimit', 'setsid']) requireProgram(name, 'util-linux');
  requireProgram('script', 'bsdutils');
  if (Bun.env['TEST_REDIS_URL'] === undefined) {
    requireProgram('redis-server', 'redis-server', 'or set TEST_REDIS_URL');
  }
  if (Bun.env['TEST_POSTGRES_URL'] === undefined) postgresPrograms();
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
