import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { PLAN_NAMES } from '../../src/domain/plan.ts';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Completes a line as the real shell does. The last word is the one under the cursor. */
type Complete = (script: string, words: readonly string[]) => string[];

const inBash: Complete = (script, words) => {
  const program = `source "$1"; shift
    COMP_WORDS=(animal-store "$@"); COMP_CWORD=$#
    $(complete -p animal-store | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines(['bash', '--norc', '-c', program, 'bash', script, ...words]);
};

const inFish: Complete = (script, words) => {
  const program = `source '${script}'; complete -C 'animal-store ${words.join(' ')}'`;
  const found = lines(['fish', '--no-config', '-c', program]);
  return found.map((line) => line.split('\t')[0] ?? '');
};

/** zsh completes only at a prompt. Here its display functions print what they get. */
const inZsh: Complete = (script, words) => {
  const program = `compdef() { completer=$1 }
    _describe() { for choice in "\${(@P)2}"; do print -r -- "\${choice%%:*}"; done }
    compadd() { shift; print -l -- "$@" }
    _files() { :; }
    source "$1"; shift; words=(animal-store "$@"); CURRENT=$#words; $completer`;
  const typed = words.at(-1) ?? '';
  const offered = lines(['zsh', '-fc', program, 'zsh', script, ...words]);
  return offered.filter((word) => word.startsWith(typed));
};

function lines(command: string[]): string[] {
  const env = { PATH: Bun.env['PATH'] ?? '', HOME: '/nonexistent', TERM: 'dumb' };
  const { stdout } = Bun.spawnSync(command, { env, stdin: 'ignore' });
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

const COMMANDS = [
  'accounts',
  'audit',
  'completion',
  'conformance',
  'deprecations',
  'keys',
  'openapi',
  'pets',
  'serve',
  'store',
];

describe.each([
  ['bash', inBash],
  ['zsh', inZsh],
  ['fish', inFish],
] as const)('completion in %s', (shell, complete) => {
  // The tests require only bash. Others are checked where they are installed.
  test.skipIf(Bun.which(shell) === null)('knows commands, options and values', async () => {
    using folder = temporaryFolder();
    const { exitCode, stdout } = await run({}, 'completion', shell);
    expect(exitCode).toBe(0);
    const script = join(folder.path, 'script');
    await Bun.write(script, stdout);
    const completed = (...words: string[]) => complete(script, words).sort();

    expect(completed('')).toEqual(expect.arrayContaining(COMMANDS));
    expect(completed('pets', '')).toEqual(['export', 'import', 'remove', 'seed', 'set-status']);
    expect(completed('pets', 'import', '--')).toEqual([
      '--database',
      '--dry-run',
      '--format',
      '--help',
      '--json',
    ]);
    expect(completed('pe')).toEqual(['pets']);
    const plans = [...PLAN_NAMES].sort();
    expect(completed('accounts', 'create', 'shop', '--plan', '')).toEqual(plans);
    expect(completed('accounts', '--json', 'create', '--plan', 'f')).toEqual(['free']);
    expect(completed('pets', 'set-status', '7', 's')).toEqual(['sold']);
    expect(completed('pets', 'export', '--status', '')).toEqual(['available', 'pending', 'sold']);
    expect(completed('completion', '')).toEqual(['bash', 'fish', 'zsh']);
  });
});

test('an unknown shell is answered with those that are known', async () => {
  const { exitCode, stderr } = await run({}, 'completion', 'tcsh');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Allowed choices are bash, zsh, fish.');
});
