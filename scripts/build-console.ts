import { join } from 'node:path';

/**
 * Bundles the operator's console into src/console/generated. The files are committed, so that the
 * service runs from a checkout, from the npm package and as an executable without a build step.
 */
export const FOLDER = 'src/console/generated';

/** The text of each generated file, by its name. */
export async function buildConsole(): Promise<Map<string, string>> {
  const { outputs } = await Bun.build({
    entrypoints: ['src/console/console.tsx', 'src/console/console.css'],
    target: 'browser',
    minify: true,
    tsconfig: 'tsconfig.console.json',
    // Otherwise JSX calls the development runtime.
    define: { 'process.env.NODE_ENV': '"production"' },
    naming: '[name].[ext]',
  });
  const files = outputs.map(async (output) => [output.path, await output.text()] as const);
  return new Map((await Promise.all(files)).map(([path, text]) => [path.slice(2), text]));
}

if (import.meta.main) {
  for (const [name, text] of await buildConsole()) {
    await Bun.write(join(FOLDER, name), text);
    const compressed = Bun.gzipSync(text, { level: 9 }).length;
    console.log(`${join(FOLDER, name)}  ${text.length} bytes, ${compressed} compressed`);
  }
}
