import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { CONSOLE_FILES } from '#operator/console-server.ts';
import referenceScript from '#reference/generated/reference.js' with { type: 'text' };
import { buildPages } from '../../scripts/build-pages.ts';

const SCRIPT = CONSOLE_FILES['/console.js'].text;
const STYLE = CONSOLE_FILES['/console.css'].text;

test('the committed files of the pages are those that their sources make', async () => {
  for (const [path, content] of await buildPages()) {
    if (Bun.hash(readFileSync(path)) !== Bun.hash(content)) {
      throw new Error(`${path} is stale. Update it: npm run build:pages`);
    }
  }
});

test.each([
  ['script of the console', SCRIPT, 90_000, ['Jason Miller', 'Leon Sorokin']],
  ['style of the console', STYLE, 10_000, ['Leon Sorokin']],
  ['script of the reference', referenceScript, 20_000, ['Jason Miller']],
])(
  'the %s is small, compressed, and begins with the licenses of its packages',
  (_, text, most, authors) => {
    expect(Bun.gzipSync(text, { level: 9 }).length).toBeLessThan(most);
    const notice = /^\/\*![\s\S]*?\*\//.exec(text)?.[0];
    for (const author of authors) expect(notice).toContain(author);
  },
);
