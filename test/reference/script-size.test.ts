import { expect, test } from 'bun:test';
import script from '../../src/reference/generated/reference.js' with { type: 'text' };
import searchScript from '../../src/reference/generated/search.js' with { type: 'text' };

test.each([
  ['pages', script, 20_000],
  // Loaded for the first search.
  ['search', searchScript, 8_000],
])('the script of the %s is small, compressed', (name, text, limit) => {
  const bytes = Bun.gzipSync(text, { level: 9 }).length;
  console.log(`${name}: ${bytes} bytes compressed`);
  expect(bytes).toBeLessThan(limit);
});
