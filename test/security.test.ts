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

test('every line of the threat model names a test', () => {
  const page = readFileSync('SECURITY.md', 'utf8');
  const risks = page.match(/^\| API\d+ .*$/gm) ?? [];
  expect(risks).toHaveLength(10);
  const [, threats = ''] = /^\| Threat .*\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const lines = [...risks, ...threats.trimEnd().split('\n')];
  expect(lines.length).toBeGreaterThan(risks.length + 5);
  expect(lines.filter((line) => !/`test\/[^`]+` "/.test(line))).toEqual([]);
});
