import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import lock from '../package-lock.json' with { type: 'json' };
import { newFolder } from '../test/support/temporary-folder.ts';
import { PAGE_ENTRIES } from './build-pages.ts';
import { bundledPackages } from './third-party-notices.ts';

/**
 * Writes dist/animal-store.cdx.json, the list of packages in a release. `npm sbom --omit=dev` would leave out the
 * runtime, because a package for development depends on the runtime too. It would also leave out packages that are only
 * in the bundles of the pages. So this script gives npm a lock file that has exactly the released packages.
 */
const inPages = new Map(
  (await bundledPackages(PAGE_ENTRIES)).map(({ name, version }) => [name, version]),
);
const { '': project, ...installed } = lock.packages;
const { devDependencies: _, ...root } = project;
const dependencies = { ...root.dependencies, ...Object.fromEntries(inPages) };
const released = Object.entries(installed)
  .filter(([path, entry]) => !('dev' in entry) || inPages.has(path.replace('node_modules/', '')))
  .map(([path, entry]) => [path, { ...entry, dev: false }]);
const manifest = { ...root, dependencies };

// npm takes the name of the project from the folder.
const folder = join(newFolder(), lock.name);
mkdirSync(folder);
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
writeFileSync(
  join(folder, 'package-lock.json'),
  JSON.stringify({ ...lock, packages: { '': manifest, ...Object.fromEntries(released) } }),
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
