import { expect, test } from 'bun:test';
import script from '../../src/reference/generated/reference.js' with { type: 'text' };

test('the script of the pages is below 20 kB, compressed', () => {
  const bytes = Bun.gzipSync(script, { level: 9 }).length;
  console.log(`reference.js: ${bytes} bytes compressed`);
  expect(bytes).toBeLessThan(20_000);
});
