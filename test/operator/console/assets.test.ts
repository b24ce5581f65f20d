import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { buildPages } from '../../../scripts/build-pages.ts';
import { CONSOLE_FILES } from '../../../src/operator/console/assets.ts';
import referenceScript from '../../../src/reference/generated/reference.js' with { type: 'text' };
import searchScript from '../../../src/reference/generated/search.js' with { type: 'text' };

const PAGE = CONSOLE_FILES['/'].text;
const SCRIPT = CONSOLE_FILES['/console.js'].text;
const STYLE = CONSOLE_FILES['/console.css'].text;
const MOST_BYTES = 100_000;

test('the committed files of the pages are those that their sources make', async () => {
  for (const [path, text] of await buildPages()) {
    if (readFileSync(path, 'utf8') !== text) {
      throw new Error(`${path} is stale. Update it: npm run build:pages`);
    }
  }
});

test('a browser loads less than 100 kB of the console', () => {
  const sizes = Object.values(CONSOLE_FILES).map(
    ({ text }) => Bun.gzipSync(text, { level: 9 }).length,
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`the console: ${total} bytes compressed`);
  expect(total).toBeLessThan(MOST_BYTES);
});

test('each bundle begins with the licenses of its packages', () => {
  const preact = 'Copyright (c) 2015-present Jason Miller';
  const uPlot = 'Copyright (c) 2022 Leon Sorokin';
  expect(noticeOf(SCRIPT)).toContain(preact);
  expect(noticeOf(SCRIPT)).toContain(uPlot);
  expect(noticeOf(STYLE)).toContain(uPlot);
  expect(noticeOf(referenceScript)).toContain(preact);
  expect(noticeOf(searchScript)).toContain('Copyright 2022 Luca Ongaro');
});

function noticeOf(bundle: string): string {
  return bundle.startsWith('/*!') ? bundle.slice(0, bundle.indexOf('*/')) : '';
}

test('the page and its style need no other origin, no inline script and no inline style', () => {
  expect(PAGE).not.toMatch(/<style|style=|<script>|\son\w+=/);
  expect(`${PAGE}${STYLE}`).not.toMatch(/https?:|url\(|@import|@font-face/);
});
