import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { sudoUser } from '../config.ts';
import type { Origin } from '../domain/operator/audit.ts';

let running = '';

/** Holds for the whole process, which runs one command. */
export function setCommand(command: Command): void {
  const words: string[] = [];
  // The root is the program.
  for (let each = command; each.parent !== null; each = each.parent) words.unshift(each.name());
  running = words.join(' ');
}

/** The command that runs and its user, for the audit. */
export function currentOrigin(): Origin {
  return {
    command: running,
    // Asked for only by changes: it takes a process.
    get operator() {
      return sudoUser() ?? systemUser();
    },
  };
}

/** Bun's `userInfo` believes the variable USER, which cron and containers do not set. */
function systemUser(): string {
  const uid = process.getuid?.();
  if (uid === undefined) return userInfo().username;
  const found = Bun.which('id');
  const id = found === null ? undefined : Bun.spawnSync([found, '-un'], { stderr: 'ignore' });
  // In a container, a user may be a number without a name.
  return id?.success ? id.stdout.toString().trim() : `user ${uid}`;
}
