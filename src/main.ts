#!/usr/bin/env bun
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { isatty } from 'node:tty';
import { runCommand } from './cli/run.ts';
import { outputTo } from './platform.ts';

// Stores, backups and exports contain the hashes of keys, so only this user may read the files.
process.umask(0o077);

const exitCode = await runCommand(process.argv.slice(2), {
  stdout: outputTo(1),
  stderr: outputTo(2),
  env: process.env,
  input: () => Bun.stdin.stream(),
  ask: isatty(0) ? ask : undefined,
  userName,
});
process.exit(process.exitCode || exitCode);

async function ask(question: string, isSecret = false): Promise<string> {
  const { stdin: input, stderr: output } = process;
  // Without an output, `readline` does not show what the person types, not even if it is typed early.
  using lines = createInterface({ input, terminal: isSecret });
  output.write(isSecret ? `${question}\n` : question);
  const { value = '' } = await lines[Symbol.asyncIterator]().next();
  return value;
}

/** Asks the program `id`, because Bun's `userInfo` reads the variable USER, which cron and containers do not set. */
function userName(): string {
  const uid = process.getuid?.();
  if (uid === undefined) return userInfo().username;
  const found = Bun.which('id');
  const id = found === null ? undefined : Bun.spawnSync([found, '-un'], { stderr: 'ignore' });
  // In a container, a user may be a number without a name.
  return id?.success ? id.stdout.toString().trim() : `user ${uid}`;
}
