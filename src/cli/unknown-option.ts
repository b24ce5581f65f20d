import type { Command } from 'commander';
import { OPTIONS, SETTINGS } from '../config.ts';
import { programToPaste } from './next-command.ts';

const UNKNOWN = /unknown option '-{1,2}(?:no-)?([^'=]+)/;

/** Names that other programs give to our settings. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  address: 'HOST',
  bind: 'HOST',
  db: 'DATABASE_URL',
  listen: 'HOST',
  p: 'PORT',
  quiet: 'LOG_LEVEL',
  verbose: 'LOG_LEVEL',
};

/** Adds the setting that the operator may have meant to an error of the command line. */
export function withSettingHint(command: Command, error: string): string {
  const [, given] = UNKNOWN.exec(error) ?? [];
  if (given === undefined || !has(command, '--database')) return error;
  const [firstLine = '', suggestion] = error.trimEnd().split('\n');
  // Commander compares only with options, so its suggestion may be far off.
  const names = settingsLike(given, suggestion === undefined);
  if (names.length === 0) return error;
  const options = Object.entries(OPTIONS)
    .filter(([, name]) => names.includes(name))
    .map(([option]) => `--${option}`)
    .filter((option) => has(command, option));
  const hint =
    options.length > 0
      ? `(Did you mean ${options.join(' or ')}?)`
      : `Set ${names.join(' or ')} in the environment: ` +
        `${names[0]}=… ${programToPaste()} ${pathOf(command)}`;
  return `${firstLine}\n${hint}\n`;
}

/** The settings whose name is or contains the given one, or nearly so. */
function settingsLike(given: string, isGuessing: boolean): string[] {
  const wanted = letters(given);
  const known = SETTINGS.map(({ name }) => name);
  const elsewhere = ELSEWHERE[wanted];
  if (elsewhere !== undefined) return [elsewhere];
  const matches: ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => wanted.length > 2 && name.includes(wanted),
    (name) => isGuessing && distance(name, wanted) <= name.length / 4,
    (name) => isGuessing && wanted.includes(name),
  ];
  for (const isMatch of matches) {
    const found = known.filter((name) => isMatch(letters(name)));
    if (found.length > 0) return found;
  }
  return [];
}

function has(command: Command, option: string): boolean {
  return command.options.some(({ long }) => long === option);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** The number of letters to add, remove or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

function pathOf(command: Command): string {
  const path = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name());
  return path.join(' ');
}
