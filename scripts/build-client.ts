import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Builds packages/client: one module without imports, as ESM and as CommonJS, with its types, its
 * README and its license.
 */
process.chdir(join(import.meta.dir, '..'));
const PACKAGE = 'packages/client';
const OUTPUT = join(PACKAGE, 'dist');
const SOURCES = join(PACKAGE, 'src');
const ENTRY = 'animal-store';

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

const emitted = mkdtempSync(join(tmpdir(), 'declarations-'));
try {
  const { exitCode, stdout } = Bun.spawnSync(
    ['tsc', '--project', 'tsconfig.client.json', '--outDir', emitted],
    { stderr: 'inherit' },
  );
  if (exitCode !== 0) throw new Error(stdout.toString());
  const types = publicTypes(emitted);
  // Each format has its own types, because TypeScript takes the format from their file extension.
  for (const name of ['client.d.ts', 'client.d.cts']) await Bun.write(join(OUTPUT, name), types);
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

/** The declarations that the public names need, as one module without internals. */
function publicTypes(folder: string): string {
  const declarations = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    for (const [name, declaration] of declarationsIn(readFileSync(join(folder, file), 'utf8'))) {
      if (declarations.has(name)) throw new Error(`Two files of the client declare ${name}.`);
      declarations.set(name, declaration);
    }
  }
  const entry = readFileSync(join(folder, `${ENTRY}.d.ts`), 'utf8');
  const lists = Array.from(
    entry.matchAll(/^export (?:type )?\{([^}]+)\}/gm),
    ([, list = '']) => list,
  );
  const names = [...wordsOf(lists.join()), ...declarationsIn(entry).keys()];
  const exported = names.filter((name) => declarations.has(name));
  const needed = new Set<string>();
  const add = (name: string): void => {
    const declaration = declarations.get(name);
    if (declaration === undefined || needed.has(name)) return;
    needed.add(name);
    for (const word of wordsOf(declaration)) add(word);
  };
  for (const name of exported) add(name);
  const text = Array.from(needed, (name) => declarations.get(name)).join('');
  return `${text}export { ${exported.join(', ')} };\n`;
}

/** The top-level declarations of a file that the compiler wrote, by name, each with its comment. */
function declarationsIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const start = /^(?=\/\*\*|(?<!\*\/\n)(?:import|export|declare|type|interface) )/m;
  for (const statement of text.split(start)) {
    const declaration = statement.replace(/^export (?!\{)/m, '');
    const [, name] =
      /^(?:declare )?(?:class|const|function|interface|type) (\w+)/m.exec(declaration) ?? [];
    if (name !== undefined) found.set(name, declaration);
  }
  return found;
}

function wordsOf(declaration: string): Set<string> {
  return new Set(declaration.replace(/\/\*\*.*?\*\//gs, '').match(/\w+/g));
}
