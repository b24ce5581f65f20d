#!/usr/bin/env bun
import { existsSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isatty } from 'node:tty';
import { runCommand } from './cli/run.ts';
import { standardStreams } from './platform.ts';

const ENV_FILES = ['', '.development', '.production', '.test'].flatMap((mode) => [
  `.env${mode}`,
  `.env${mode}.local`,
]);

// Stores, backups and exports contain hashes of keys: the files are for this user only.
process.umask(0o077);

const foreign = foreignSettings(process.cwd(), process.execArgv);
if (foreign !== undefined) {
  console.error(foreign);
  process.exit(1);
}
const exitCode = await runCommand(process.argv.slice(2), {
  ...standardStreams,
  env: process.env,
  input: () => Bun.stdin.stream(),
  ask: isatty(0) ? ask : undefined,
  userName,
});
process.exit(process.exitCode || exitCode);

async function ask(question: string, isSecret = false): Promise<string> {
  const { stdin: input, stderr: output } = process;
  // Without an output, nothing shows the answer.
  using terminal = createInterface(isSecret ? { input, terminal: true } : { input, output });
  if (isSecret) output.write(`${question}\n`);
  // Ctrl-C and Ctrl-D close the question without an answer.
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  return await Promise.race([terminal.question(question).catch(() => ''), closed]);
}

/** Bun's `userInfo` believes the variable USER, which cron and containers do not set. */
function userName(): string {
  const uid = process.getuid?.();
  if (uid === undefined) return userInfo().username;
  const found = Bun.which('id');
  const id = found === null ? undefined : Bun.spawnSync([found, '-un'], { stderr: 'ignore' });
  // In a container, a user may be a number without a name.
  return id?.success ? id.stdout.toString().trim() : `user ${uid}`;
}

/**
 * The launcher starts Bun with flags that stop it from reading files of the working folder, which
 * may belong to another project. Without the flags, this returns why the program must not run.
 */
function foreignSettings(folder: string, flags: readonly string[]): string | undefined {
  if (Bun.isStandaloneExecutable || isCheckout(folder)) return undefined;
  const isGiven = (flag: RegExp) => flags.some((given) => flag.test(given));
  // Bun obeys these files without a word.
  const obeyed = [
    ...(isGiven(/^--(no-env-file|env-file=)/) ? [] : ENV_FILES),
    ...(isGiven(/^--config=/) ? [] : ['bunfig.toml']),
    // It says how to compile the pages.
    ...(isGiven(/^--tsconfig-override=/) ? [] : ['tsconfig.json']),
  ];
  const found = obeyed.find((file) => existsSync(join(folder, file)));
  if (found === undefined) return undefined;
  return (
    `Bun has read ${join(folder, found)}, which may belong to another program. ` +
    'Start Animal Store with its launcher: npx --no animal-store.'
  );
}

/** The bunfig.toml of a checkout is ours, and turns .env files off. */
function isCheckout(folder: string): boolean {
  return realpathSync(folder) === realpathSync(join(import.meta.dir, '..'));
}
