import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Builds packages/client: one module without imports, as ESM and as CommonJS, with its types, its
 * README and its license.
 */
process.chdir(join(import.meta.dir, '..'));
const PACKAGE = 'packages/client';
const OUTPUT = join(PACKAGE, 'dist');
const SOURCES = join(PACKAGE, 'src');
const ENTRY = 'animal-store';

/** Each format has its own types, because TypeScript takes the format from their file extension. */
const FORMATS = [
  { types: '.d.ts', module: '.js' },
  { types: '.d.cts', module: '.cjs' },
];

rmSync(OUTPUT, { recursive: true, force: true });
const {
  outputs: [bundle],
} = await Bun.build({
  entrypoints: [join(SOURCES, `${ENTRY}.ts`)],
  target: 'browser',
  format: 'esm',
});
if (bundle === undefined) throw new Error('The build of the client has no output.');
const esm = await bundle.text();
await Bun.write(join(OUTPUT, 'client.js'), esm);
await Bun.write(join(OUTPUT, 'client.cjs'), toCommonJs(esm));
copyFileSync('LICENSE', join(PACKAGE, 'LICENSE'));
copyFileSync('docs/client.md', join(PACKAGE, 'README.md'));

// Publish only the types that the entry reaches.
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

/** Node finds the names of these exports without running the module, unlike those of a bundler. */
function toCommonJs(source: string): string {
  const [code, names, ...others] = source.split(/^export (?=\{)/m);
  if (names === undefined || others.length > 0 || /^import /m.test(source)) {
    throw new Error('The client must be one module with one list of exports.');
  }
  return `'use strict';\n${code}module.exports = ${names}`;
}

async function publish(path: string, published: Set<string>): Promise<void> {
  if (published.has(path)) return;
  published.add(path);
  if (dirname(path) !== '.') throw new Error(`The client's types need ${path}.`);
  const declaration = readFileSync(join(emitted, path), 'utf8');
  const specifier = /(?<=from ')(\.[^']+)\.ts(?=')/g;
  for (const { types, module } of FORMATS) {
    await Bun.write(
      join(OUTPUT, 'types', path.replace('.d.ts', types)),
      declaration.replace(specifier, (_, target) => `${target}${module}`),
    );
  }
  for (const [, target] of declaration.matchAll(specifier)) {
    await publish(join(dirname(path), `${target}.d.ts`), published);
  }
}
