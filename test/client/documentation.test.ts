import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { settingsFrom } from '../../src/client/options.ts';

test('docs/client.md lists every option with its default', () => {
  const page = readFileSync('docs/client.md', 'utf8');
  const rows = page.slice(page.indexOf('## Options')).matchAll(/^\| `(\w+)` \| (.+?) \|/gm);
  const documented = Object.fromEntries(Array.from(rows, ([, name, value]) => [name, value]));
  const settings = settingsFrom({ baseUrl: 'https://shop.example/v1', apiKey: 'ask_test' });
  const described = {
    baseUrl: 'required',
    apiKey: 'required',
    fetch: "the runtime's",
    headers: 'none',
    hooks: 'none',
  };
  const actual = Object.entries({ ...settings, ...described });
  expect(documented).toEqual(Object.fromEntries(actual.map(([name, value]) => [name, `${value}`])));
});
