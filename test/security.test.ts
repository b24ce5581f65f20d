import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';

/** A test file, and the titles of its tests that follow. */
const CITED = /`(test\/[^`]+)`((?:,?\s+"[^"]+")+)/g;

test('SECURITY.md names tests that exist', () => {
  const page = readFileSync('SECURITY.md', 'utf8');
  const missing: string[] = [];
  let cited = 0;
  for (const [, file = '', titles = ''] of page.matchAll(CITED)) {
    const source = readFileSync(file, 'utf8');
    for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g)) {
      cited++;
      if (!source.includes(`'${title.replaceAll('\n', ' ')}'`)) missing.push(`${file}: ${title}`);
    }
  }
  expect(missing).toEqual([]);
  expect(cited).toBeGreaterThan(20);
});
