import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole, FOLDER } from '../../scripts/build-console.ts';
import {
  CONSOLE_ICON,
  CONSOLE_PAGE,
  CONSOLE_SCRIPT,
  CONSOLE_STYLE,
} from '../../src/console/assets.ts';

const MOST_BYTES = 100_000;

test('the committed files of the console are those that its sources make', async () => {
  const built = await buildConsole();
  expect([...built.keys()].sort()).toEqual(['console.css', 'console.js']);
  for (const [name, text] of built) {
    if (readFileSync(join(FOLDER, name), 'utf8') !== text) {
      throw new Error(`${name} is stale. Update it: npm run build:console`);
    }
  }
});

test('a browser loads less than 100 kB of the console', () => {
  const sizes = [CONSOLE_PAGE, CONSOLE_SCRIPT, CONSOLE_STYLE, CONSOLE_ICON].map(
    (text) => Bun.gzipSync(text, { level: 9 }).length,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`the console: ${total} bytes compressed`);
  expect(total).toBeLessThan(MOST_BYTES);
});

test('the page and its style need no other origin, no inline script and no inline style', () => {
  expect(CONSOLE_PAGE).not.toMatch(/<style|style=|<script>|\son\w+=/);
  expect(`${CONSOLE_PAGE}${CONSOLE_STYLE}`).not.toMatch(/https?:|url\(|@import|@font-face/);
});
