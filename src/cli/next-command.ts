import { readConfig, startedAs } from '../config.ts';
import { shellWord } from '../domain/shell-word.ts';

/** npx must not download a package of the same name from a stranger. */
const FROM_A_CHECKOUT = 'npx --no animal-store';

/** A command to paste that runs the same program on the same store. */
export function nextCommand(...words: string[]): string {
  const { databaseOption } = readConfig();
  const store = databaseOption === undefined ? [] : ['--database', databaseOption];
  return [programToPaste(), ...[...words, ...store].map(shellWord)].join(' ');
}

/** The way this program was started, to paste into a shell. */
export function programToPaste(): string {
  return (
    startedAs() ?? (Bun.isStandaloneExecutable ? shellWord(process.execPath) : FROM_A_CHECKOUT)
  );
}
