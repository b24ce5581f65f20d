import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import lock from '../package-lock.json' with { type: 'json' };
import { PAGE_ENTRIES } from './build-pages.ts';
import {
  bundledPackages,
  noticeComment,
  noticesOf,
  runtimePackage,
} from './third-party-notices.ts';

/**
 * Builds the service and its runtime into one executable, dist/animal-store, for this platform. With `--target TARGET`
 * or `--all`, builds dist/animal-store-TARGET for other platforms. Also writes dist/THIRD-PARTY-NOTICES.txt. `--outdir`
 * writes into another folder than dist.
 */

/** The npm package with the runtime for each target. */
const RUNTIMES = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-x64-musl': '@oven/bun-linux-x64-musl',
  'linux-arm64': '@oven/bun-linux-aarch64',
  'linux-arm64-musl': '@oven/bun-linux-aarch64-musl',
  'darwin-x64': '@oven/bun-darwin-x64',
  'darwin-arm64': '@oven/bun-darwin-aarch64',
  'windows-x64': '@oven/bun-windows-x64',
  'windows-arm64': '@oven/bun-windows-aarch64',
} as const;

const ENTRIES = ['src/main.ts', ...new Bun.Glob('src/**/*-worker.ts').scanSync('.')];

type Target = keyof typeof RUNTIMES;
const TARGETS = Object.keys(RUNTIMES) as Target[];

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
    outdir: { type: 'string', default: 'dist' },
  },
});
const packages = await bundledPackages([...ENTRIES, ...PAGE_ENTRIES]);
const notices = noticesOf([...packages, runtimePackage()]);
await Bun.write(join(values.outdir, 'THIRD-PARTY-NOTICES.txt'), notices);
const targets = values.all ? TARGETS : values.target.map(parseTarget);
if (targets.length === 0) await build(join(values.outdir, 'animal-store'));
for (const target of targets) await build(join(values.outdir, `animal-store-${target}`), target);

function parseTarget(name: string): Target {
  const target = TARGETS.find((known) => known === name);
  if (target !== undefined) return target;
  console.error(`--target must be one of ${TARGETS.join(', ')}, not "${name}".`);
  process.exit(1);
}

async function build(path: string, target?: Target): Promise<void> {
  const suffix = isWindows(target ?? process.platform) ? '.exe' : '';
  const outfile = `${path}${suffix}`;
  mkdirSync(dirname(outfile), { recursive: true });
  // The executable is built under another name and renamed at the end, because a running executable cannot be
  // overwritten.
  const folder = resolve(mkdtempSync(join(dirname(outfile), 'building-')));
  try {
    const built = join(folder, `built${suffix}`);
    await compile(built, target && { target, executablePath: await fetchRuntime(target, folder) });
    renameSync(built, outfile);
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(`${outfile}  ${(Bun.file(outfile).size / 1e6).toFixed(1)} MB`);
}

function isWindows(platform: string): boolean {
  return platform.startsWith('win');
}

async function compile(
  outfile: string,
  runtime: { readonly target: Target; readonly executablePath: string } | undefined,
): Promise<void> {
  await Bun.build({
    entrypoints: ENTRIES,
    // The licenses require their text in every copy of the code.
    banner: noticeComment(notices),
    // All entries are in one folder, because `new Worker` looks for the worker there.
    naming: { entry: '[name].[ext]' },
    // With bytecode, the executable starts in half of the time. Without the names of functions and the source maps,
    // stack traces would be unreadable.
    bytecode: true,
    format: 'esm',
    minify: false,
    sourcemap: 'linked',
    compile: {
      outfile,
      ...(runtime && { ...runtime, target: `bun-${runtime.target}` }),
      // Settings come only from the environment, never from files in the working folder.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
}

/** Downloads a runtime with the settings of npm, and checks it against package-lock.json. */
async function fetchRuntime(target: Target, folder: string): Promise<string> {
  const name = RUNTIMES[target];
  const { version, integrity } = lock.packages[`node_modules/${name}`];
  const { exitCode, stdout } = Bun.spawnSync(
    ['npm', 'pack', '--silent', '--pack-destination', folder, `${name}@${version}`],
    { stderr: 'inherit' },
  );
  if (exitCode !== 0) throw new Error(`npm cannot download ${name}@${version}.`);
  const archive = await Bun.file(join(folder, stdout.toString().trim())).bytes();
  const digest = new Bun.CryptoHasher('sha512').update(archive).digest('base64');
  if (`sha512-${digest}` !== integrity) {
    throw new Error(`${name}@${version} does not match package-lock.json.`);
  }
  await new Bun.Archive(archive).extract(folder);
  return join(folder, 'package/bin', isWindows(target) ? 'bun.exe' : 'bun');
}
