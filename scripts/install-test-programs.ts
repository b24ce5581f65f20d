import { missingPackages } from '../test/support/programs.ts';

/** Installs the programs that the tests need, on Debian as root. Elsewhere, it names them. */
const packages = missingPackages();
if (packages.length > 0 && process.getuid?.() === 0 && Bun.which('apt-get') !== null) {
  const env = { ...Bun.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '--yes', '--no-install-recommends', ...packages];
  for (const args of [['update'], install]) {
    Bun.spawnSync(['apt-get', '--quiet', ...args], { env, stdout: 'ignore' });
  }
}
const missing = missingPackages();
if (missing.length > 0) {
  console.error(
    `Install the programs that are missing. On Debian: apt-get install ${missing.join(' ')}`,
  );
  process.exit(1);
}
