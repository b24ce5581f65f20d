import {
  installCommand,
  KUBERNETES_VALIDATE,
  lacks,
  missingPrograms,
} from '../test/support/programs.ts';

/**
 * On Debian, as root, installs the programs that the tests need. Elsewhere, prints the command that installs them. The
 * Python package needs no rights, so it is installed everywhere.
 */
installPythonPackage();
let missing = missingPrograms('all');
const isDebianRoot = process.getuid?.() === 0 && Bun.which('apt-get') !== null;
if (isDebianRoot && missing.length > 0) {
  const env = { ...Bun.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const each of [
    'apt-get update',
    `${installCommand(missing)} --yes --no-install-recommends`,
  ]) {
    Bun.spawnSync([...each.split(' '), '--quiet'], { env, stdout: 'ignore' });
  }
  installPythonPackage();
  missing = missingPrograms('all');
}
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}. On Debian, as root: ${installCommand(missing)}`);
  process.exit(1);
}

/** Fails without Python and its package for such folders, which the commands above install. */
function installPythonPackage(): void {
  if (!lacks('kubernetes-validate')) return;
  const commands = [
    ['python3', '-m', 'venv', KUBERNETES_VALIDATE],
    [`${KUBERNETES_VALIDATE}/bin/pip`, 'install', '--quiet', 'kubernetes-validate==1.37.0'],
  ];
  for (const [program = '', ...words] of commands) {
    if (Bun.which(program) === null) return;
    Bun.spawnSync([program, ...words], { stdout: 'ignore', stderr: 'inherit' });
  }
}
