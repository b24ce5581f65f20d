import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../domain/error.ts';
import { programToPaste } from './next-command.ts';

/** Files of the working folder that Bun obeys without a word, and the flag that stops it. */
const OBEYED: readonly (readonly [file: string, flag: RegExp])[] = [
  ...['.env', '.env.local']
    .concat(
      ['development', 'production', 'test'].flatMap((mode) => [
        `.env.${mode}`,
        `.env.${mode}.local`,
      ]),
    )
    .map((file) => [file, /^--(no-env-file|env-file=)/] as const),
  ['bunfig.toml', /^--config=/],
  // It says how to compile the pages.
  ['tsconfig.json', /^--tsconfig-override=/],
];

/**
 * The launcher starts Bun with flags that stop it from reading files of the working folder, which
 * may belong to another project. Without the flags, this refuses to run next to such a file.
 */
export function requireOwnSettings(folder: string, flags: readonly string[]): void {
  if (Bun.isStandaloneExecutable || isCheckout(folder)) return;
  for (const [file, flag] of OBEYED) {
    if (flags.some((given) => flag.test(given)) || !existsSync(join(folder, file))) continue;
    throw new OperatorError(
      `Bun has read ${join(folder, file)}, which may belong to another program. ` +
        `Start Animal Store with its launcher: ${programToPaste()}.`,
    );
  }
}

/** The bunfig.toml of a checkout is ours, and turns .env files off. */
function isCheckout(folder: string): boolean {
  return realpathSync(folder) === realpathSync(join(import.meta.dir, '../..'));
}
