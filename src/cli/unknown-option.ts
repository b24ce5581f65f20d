import type { Command } from 'commander';
import { OPTIONS, SETTINGS } from '../config.ts';
import { editDistance } from '../domain/edit-distance.ts';
import { programToPaste } from './next-command.ts';

const UNKNOWN = /unknown option '-{1,2}(?:no-)?([^'=]+)/;

/** Words that other programs use for our settings. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  address: 'host',
  bind: 'host',
  db: 'databaseurl',
  listen: 'host',
  p: 'port',
  quiet: 'loglevel',
  verbose: 'loglevel',
};

/** Adds the setting that the operator may have meant to an error of the command line. */
export function withSettingHint(command: Command, error: string): string {
  const [, given] = UNKNOWN.exec(error) ?? [];
  if (given === undefined) return error;
  const [firstLine = '', suggestion] = error.trimEnd().split('\n');
  // Commander compares only with options, so its suggestion may be far off.
  const names = settingsLike(given, settingsOf(command), suggestion === undefined);
  if (names.length === 0) return error;
  const options = optionsOf(command).filter(([, name]) => names.includes(name));
  const hint =
    options.length > 0
      ? `(Did you mean ${options.map(([option]) => `--${option}`).join(' or ')}?)`
      : `Set ${names.join(' or ')} in the environment: ` +
        `${names[0]}=… ${programToPaste()} ${pathOf(command)}`;
  return `${firstLine}\n${hint}\n`;
}

/** The settings that a hint may name. Most commands read only the one that selects the store. */
function settingsOf(command: Command): string[] {
  const path = pathOf(command);
  if (path === 'serve') return SETTINGS.map(({ name }) => name);
  if (path === 'health') return ['OPERATOR_HOST', 'OPERATOR_PORT'];
  return optionsOf(command).map(([, name]) => name);
}

/** The options of a command that override a setting. */
function optionsOf(command: Command): [option: string, name: string][] {
  return Object.entries(OPTIONS).filter(([option]) =>
    command.options.some(({ long }) => long === `--${option}`),
  );
}

/** The settings whose name is or contains the given one, or nearly so. */
function settingsLike(given: string, known: readonly string[], isGuessing: boolean): string[] {
  const wanted = ELSEWHERE[letters(given)] ?? letters(given);
  const matches: ((name: string) => boolean)[] = [
    (name) => name === wanted,
    (name) => wanted.length > 2 && name.includes(wanted),
    (name) => isGuessing && editDistance(name, wanted) <= name.length / 4,
    (name) => isGuessing && wanted.includes(name),
  ];
  for (const isMatch of matches) {
    const found = known.filter((name) => isMatch(letters(name)));
    if (found.length > 0) return found;
  }
  return [];
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

function pathOf(command: Command): string {
  const path = [];
  for (let at: Command | null = command; at?.parent; at = at.parent) path.unshift(at.name());
  return path.join(' ');
}
