import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dir, '..');

/** What the benchmark compares with is installed beside it, and never with the service. */
export function installPeers(): void {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return;
  console.error('Installing what the benchmark compares with, into bench/node_modules, this once.');
  const { exitCode } = Bun.spawnSync(['npm', 'ci', '--no-progress', '--prefix', FOLDER], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if (exitCode !== 0) throw new Error('The installation failed. Try "npm ci --prefix bench".');
}
