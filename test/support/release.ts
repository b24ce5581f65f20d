import { join } from 'node:path';
import { runLine, type Serving, type Settings, serve } from './command.ts';
import { npm, registryPackages } from './package-managers.ts';

/** An earlier version, installed from its package as its users did. Needs the npm registry. */
export function installRelease(version: string) {
  const tarball = join(import.meta.dir, '../fixtures', version, 'package.tgz');
  const launcher = join(registryPackages(tarball), 'animal-store/bin/animal-store.js');
  const path = { PATH: npm.path };
  const line = (words: readonly string[]) => ['node', launcher, ...words];
  const run = (settings: Settings, ...args: string[]) =>
    runLine(line(args), { ...path, ...settings });

  return {
    run,

    serve: (settings: Settings): Promise<Serving> =>
      serve({ ...path, ...settings }, (words) => line(words.slice(words.indexOf('serve')))),

    /** Creates an account with limits, and its key. */
    async makeKey(
      settings: Settings,
      account: string,
      perDay = 1_000_000,
    ): Promise<{ id: number; secret: string }> {
      const limits = ['--per-minute', '1000000', '--per-day', String(perDay)];
      await run(settings, 'accounts', 'create', account, '--plan', 'enterprise', ...limits);
      return JSON.parse((await run(settings, 'keys', 'create', account, '--json')).stdout);
    },
  };
}
