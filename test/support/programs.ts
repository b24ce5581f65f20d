/** On Linux, ends a program with the tests, even if those are killed. Goes in front of its words. */
export function killedWithTests(signal: 'KILL' | 'QUIT'): string[] {
  if (process.platform !== 'linux') return [];
  return [requireProgram('setpriv', 'util-linux'), '--pdeathsig', signal];
}

/**
 * The path of a program. On Debian, root installs a missing program. Otherwise the test fails with
 * a line that names the package to install.
 */
export function requireProgram(name: string, debianPackage = name, otherwise = ''): string {
  const find = () => Bun.which(name) ?? undefined;
  return find() ?? install(name, debianPackage, find, otherwise);
}

/** The path of a Python that reads YAML. */
export function pythonWithYaml(): string {
  // Debian's package is invisible to another Python that comes first in the PATH.
  const find = () =>
    [Bun.which('python3') ?? '', '/usr/bin/python3'].find(
      (path) => path !== '' && runs([path, '-c', 'import yaml']),
    );
  return find() ?? install('yaml for Python', 'python3-yaml', find);
}

function runs(line: string[]): boolean {
  try {
    return Bun.spawnSync(line, { stderr: 'ignore' }).success;
  } catch {
    return false;
  }
}

function install(
  name: string,
  debianPackage: string,
  find: () => string | undefined,
  otherwise = '',
): string {
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
  const installed = find();
  if (installed !== undefined) return installed;
  throw new Error(
    `The tests need "${name}". Install it (on Debian: apt-get install ${debianPackage}) ${otherwise}`.trim(),
  );
}

const RIGHTS = '-net_bind_service,-dac_override,-dac_read_search';

/** Takes rights away that root has and other users do not. Goes in front of the words of a program. */
export const WITHOUT_RIGHTS =
  process.getuid?.() === 0
    ? [requireProgram('setpriv', 'util-linux'), '--bounding-set', RIGHTS, '--inh-caps', RIGHTS]
    : [];
