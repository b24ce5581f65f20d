import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../package.json' with { type: 'json' };

/**
 * Writes dist/animal-store-client-VERSION.tgz, the package of the client: one module without imports,
 * as ESM and as CommonJS, with its types, its README and its license.
 */
const PACKAGE = 'packages/client';
const ENTRY = 'animal-store';

/** The text of each file in the package, by its path in the package. */
async function buildClient(): Promise<Map<string, string>> {
  const {
    outputs: [bundle],
  } = await Bun.build({
    entrypoints: [join(PACKAGE, 'src', `${ENTRY}.ts`)],
    target: 'browser',
    format: 'esm',
  });
  if (bundle === undefined) throw new Error('The build of the client has no output.');
  const esm = await bundle.text();
  // Each format has its own types, because TypeScript takes the format from their file extension.
  const types = buildTypes();
  return new Map([
    ['package.json', readFileSync(join(PACKAGE, 'package.json'), 'utf8')],
    ['README.md', readFileSync('docs/client.md', 'utf8')],
    ['LICENSE', readFileSync('LICENSE', 'utf8')],
    ['dist/client.js', esm],
    ['dist/client.cjs', toCommonJs(esm)],
    ['dist/client.d.ts', types],
    ['dist/client.d.cts', types],
  ]);
}

/** Packs the files into one archive. The same sources make the same bytes on every machine. */
export async function packClient(): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = [];
  for (const [path, text] of await buildClient()) {
    const content = Buffer.from(text);
    const { length } = content;
    parts.push(tarHeader(`package/${path}`, length), content, Buffer.alloc(-length & 511));
  }
  return Bun.gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]), {
    level: 12,
    library: 'libdeflate',
  });
}

/** Makes a header without a time. `Bun.Archive` is not used, because it writes the current time into each header. */
function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number) => value.toString(8).padStart(11, '0');
  header.write(path, 0);
  header.write('0000644\x000000000\x000000000\x00', 100);
  header.write(`${octal(size)}\0${octal(0)}\0        0`, 124);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((total, byte) => total + byte);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function buildTypes(): string {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const { exitCode, stdout } = Bun.spawnSync(
      ['node_modules/.bin/tsc', '--project', 'tsconfig.client.json', '--outDir', emitted],
      { stderr: 'inherit' },
    );
    if (exitCode !== 0) throw new Error(stdout.toString());
    return publicTypes(emitted);
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

/** Node.js can find the names of these exports without running the module, unlike exports that a bundler writes. */
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

if (import.meta.main) {
  const path = `dist/animal-store-client-${version}.tgz`;
  await Bun.write(path, await packClient());
  console.log(path);
}
