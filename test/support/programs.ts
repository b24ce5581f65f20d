/**
 * The path of a program. On Debian, root installs a missing program. Otherwise the test fails with
 * a line that names the package to install.
 */
export function requireProgram(name: string, debianPackage = name, otherwise = ''): string {
  const found = Bun.which(name);
  if (found !== null) return found;
  if (process.getuid?.() === 0 && Bun.which('apt-get') !== null) {
    for (const args of [
      ['update'],
      ['install', '--yes', '--no-install-recommends', debianPackage],
    ]) {
      Bun.spawnSync(['apt-get', '--quiet', ...args], {
        env: { ...Bun.env, DEBIAN_FRONTEND: 'noninteractive' },
        stdout: 'ignore',
      });
    }
  }
  const installed = Bun.which(name);
  if (installed !== null) return installed;
  throw new Error(
    `The tests need "${name}". Install it (on Debian: apt-get install ${debianPackage}) ${otherwise}`.trim(),
  );
}
