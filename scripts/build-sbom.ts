import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import lock from '../package-lock.json' with { type: 'json' };
import { temporaryFolder } from '../test/support/temporary-folder.ts';

/**
 * Writes dist/animal-store.cdx.json, the list of packages in a release. `npm sbom --omit=dev` would leave
 * out the runtime, because a package for development depends on it too. So npm gets a lock file without
 * those packages.
 */
interface LockedPackage {
  readonly dev?: boolean;
  readonly devDependencies?: object;
}

const packages = Object.entries(lock.packages as Record<string, LockedPackage>)
  .filter(([, { dev }]) => !dev)
  .map(([path, { devDependencies, ...rest }]) => [path, rest] as const);

using parent = temporaryFolder();
// npm takes the name from the folder.
const folder = join(parent.path, lock.name);
mkdirSync(folder);
const root = Object.fromEntries(packages)[''];
writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
writeFileSync(
  join(folder, 'package-lock.json'),
  JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }),
);
const { exitCode, stdout, stderr } = Bun.spawnSync(
  ['npm', 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
  { cwd: folder },
);
if (exitCode !== 0) throw new Error(`npm sbom failed: ${stderr}`);
mkdirSync('dist', { recursive: true });
const path = join('dist', `${lock.name}.cdx.json`);
writeFileSync(path, stdout);
console.log(`${path}  ${JSON.parse(stdout.toString()).components.length} packages`);
