import { dirname } from 'node:path';
import { FOLDERS, installCommand, lacks, missingPrograms } from '../test/support/programs.ts';

/**
 * On Debian, as root, installs the programs that the tests need. Elsewhere, prints the command that installs them. The
 * programs that Debian does not have need no rights, so they are installed everywhere.
 */
installOthers();
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
  installOthers();
  missing = missingPrograms('all');
}
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}. On Debian, as root: ${installCommand(missing)}`);
  process.exit(1);
}

/** Needs Python, its package for such folders, and Go, which the commands above install. */
function installOthers(): void {
  const { actionlint = '', 'kubernetes-validate': validate = '' } = FOLDERS;
  if (lacks('actionlint')) {
    install(
      ['env', `GOBIN=${actionlint}`],
      ['go', 'install', 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12'],
    );
  }
  if (lacks('kubernetes-validate')) {
    install([], ['python3', '-m', 'venv', dirname(validate)]);
    install([], [`${validate}/pip`, 'install', '--quiet', 'kubernetes-validate==1.37.0']);
  }
}

/** Without its first program, a command is left out. */
function install(prefix: readonly string[], command: readonly string[]): void {
  if (Bun.which(command[0] ?? '') === null) return;
  Bun.spawnSync([...prefix, ...command], { stdout: 'ignore', stderr: 'inherit' });
}
