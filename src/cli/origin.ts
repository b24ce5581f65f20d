import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { sudoUser } from '../config.ts';
import type { Origin } from '../domain/audit.ts';

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
  return { command: running, operator: sudoUser() ?? systemUser() };
}

/** In a container, a user may be a number without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
