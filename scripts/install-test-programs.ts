import { installCommand, missingPrograms } from '../test/support/programs.ts';

/** Installs the programs that the tests need, on Debian as root. Elsewhere, it names them. */
const command = installCommand(missingPrograms('all'));
const isDebianRoot = process.getuid?.() === 0 && Bun.which('apt-get') !== null;
if (isDebianRoot && missingPrograms('all').length > 0) {
  const env = { ...Bun.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const each of ['apt-get update', `${command} --yes --no-install-recommends`]) {
    Bun.spawnSync([...each.split(' '), '--quiet'], { env, stdout: 'ignore' });
  }
}
const missing = missingPrograms('all');
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}. On Debian, as root: ${installCommand(missing)}`);
  process.exit(1);
}
