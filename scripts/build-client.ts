import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Builds packages/client: one module without imports, its types, its README and its license. */
process.chdir(join(import.meta.dir, '..'));
const PACKAGE = 'packages/client';
const OUTPUT = join(PACKAGE, 'dist');
const SOURCES = 'client';
const ENTRY = 'animal-store';

rmSync(OUTPUT, { recursive: true, force: true });
await Bun.build({
  entrypoints: [`src/${SOURCES}/${ENTRY}.ts`],
  outdir: OUTPUT,
  naming: 'client.js',
  target: 'browser',
  format: 'esm',
});
copyFileSync('LICENSE', join(PACKAGE, 'LICENSE'));
copyFileSync('docs/client.md', join(PACKAGE, 'README.md'));

// `tsc` also emits types of the service, which need its packages. Publish only the types that the
// entry reaches, all of which must be in src/client.
const emitted = mkdtempSync(join(tmpdir(), 'declarations-'));
try {
  const { exitCode, stdout } = Bun.spawnSync(
    ['tsc', '--project', 'tsconfig.client.json', '--outDir', emitted],
    { stderr: 'inherit' },
  );
  if (exitCode !== 0) throw new Error(stdout.toString());
  await publish(`${ENTRY}.d.ts`, new Set());
} finally {
  rmSync(emitted, { recursive: true });
}

async function publish(path: string, published: Set<string>): Promise<void> {
  if (published.has(path)) return;
  published.add(path);
  if (dirname(path) !== '.') throw new Error(`The client's types need ${path}.`);
  const declaration = readFileSync(join(emitted, SOURCES, path), 'utf8');
  const specifier = /(?<=from ')(\.[^']+)\.ts(?=')/g;
  await Bun.write(
    join(OUTPUT, 'types', path),
    declaration.replace(specifier, (_, target) => `${target}.js`),
  );
  for (const [, target] of declaration.matchAll(specifier)) {
    await publish(join(dirname(path), `${target}.d.ts`), published);
  }
}
