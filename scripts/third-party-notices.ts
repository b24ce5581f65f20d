import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE_FOLDER = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;
/** The package of the runtime has no license text, but the package with its types has this page of the manual. */
const RUNTIME_LICENSE = 'node_modules/bun-types/docs/project/license.mdx';

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** Returns the packages whose code is in a bundle of these files. */
export async function bundledPackages(entrypoints: string[]): Promise<Bundled[]> {
  const { metafile } = await Bun.build({ entrypoints, target: 'bun', metafile: true });
  const paths = Object.keys(metafile?.inputs ?? {});
  const folders = paths.flatMap((path) => PACKAGE_FOLDER.exec(path) ?? []);
  return [...new Set(folders)].sort().map(readPackage);
}

export function runtimePackage(): Bundled {
  const license = readFileSync(RUNTIME_LICENSE, 'utf8').trim();
  // One character beyond Latin-1 would make the executable keep the whole program in UTF-16.
  return { name: 'bun', version: Bun.version, license: license.replaceAll('’', "'") };
}

export function noticesOf(packages: readonly Bundled[]): string {
  return packages
    .map(({ name, version, license }) => `${name} ${version}\n\n${license}\n`)
    .join('\n');
}

/** A comment with the notices, for the beginning of a bundle. */
export function noticeComment(notices: string): string {
  return `/*!\nThis file contains:\n\n${notices.replaceAll('*/', '* /')}*/\n`;
}

function readPackage(folder: string): Bundled {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
  if (file === undefined) throw new Error(`${folder} has no license file.`);
  return { name, version, license: readFileSync(join(folder, file), 'utf8').trim() };
}
