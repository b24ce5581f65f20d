import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packClient } from './build-client.ts';
import { bundledPackages, noticeComment, noticesOf } from './third-party-notices.ts';

/**
 * Bundles the code that the console and the reference run in a browser. The bundles are committed, so that the service
 * runs from a checkout, from the npm package and as an executable without a build step.
 */
export const PAGE_ENTRIES = [
  'packages/console/src/console.tsx',
  'packages/console/src/console.css',
  'src/reference/browser/reference.ts',
];

/** The content of each generated file, by its path: the bundles, the client to install, and a list of its releases. */
export async function buildPages(): Promise<Map<string, string | Uint8Array<ArrayBuffer>>> {
  const files = new Map<string, string | Uint8Array<ArrayBuffer>>(
    await Promise.all(PAGE_ENTRIES.map(build)),
  );
  return files
    .set('src/reference/generated/client.tgz', await packClient())
    .set('src/reference/generated/released-clients.ts', listReleasedClients());
}

/** A module with the name and the file of each client that a release has served. */
function listReleasedClients(): string {
  const names = readdirSync('src/reference/released').sort();
  const imports = names.map(
    (name, index) => `import client${index} from '../released/${name}' with { type: 'file' };\n`,
  );
  const entries = names.map((name, index) => `  ['${name}', client${index}],\n`);
  return `${imports.join('')}\nexport const RELEASED_CLIENTS = [\n${entries.join('')}] as const;\n`;
}

async function build(entry: string): Promise<[string, string]> {
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    minify: true,
    tsconfig: 'tsconfig.browser.json',
    // Without this, JSX would call the development version of its runtime.
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: '[name].[ext]',
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${entry} has no output.`);
  const folder = dirname(dirname(entry));
  const notices = noticeComment(noticesOf(await bundledPackages([entry])));
  return [join(folder, 'generated', output.path), notices + (await output.text())];
}

if (import.meta.main) {
  for (const [path, content] of await buildPages()) {
    await Bun.write(path, content);
    const compressed = Bun.gzipSync(content, { level: 9 }).length;
    console.log(`${path}  ${content.length} bytes, ${compressed} compressed`);
  }
}
