import { expect, test } from 'bun:test';
import { shellWord } from '../../src/stores/postgres/backend.ts';

test('a word reaches a command unchanged, and without quotes where none are needed', () => {
  const words = ['a b', "it's", '$HOME', '`id`', '"', '\\', '*', '~', '', 'é', 'postgres://u@h/d'];
  const line = `printf '%s\\n' ${words.map(shellWord).join(' ')}`;
  expect(Bun.spawnSync(['sh', '-c', line]).stdout.toString()).toBe(`${words.join('\n')}\n`);
  expect(shellWord('sqlite:/var/a-b.db')).toBe('sqlite:/var/a-b.db');
});
