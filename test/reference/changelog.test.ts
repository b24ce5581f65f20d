import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { renderToString } from 'preact-render-to-string';
import { CHANGELOG, Changelog, readChangelog } from '../../src/reference/changelog.tsx';

test('the page has every word of the changelog, and no Markdown', () => {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
  const page = renderToString(Changelog());
  const shown = page
    .replaceAll('<span class="count">for operators</span>', '')
    .replace(/<\/?code>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  const written = readFileSync('CHANGELOG.md', 'utf8')
    .replace(/^# Changelog$/m, '')
    .replace(/^#+ |^- |`/gm, '');
  expect(words(shown)).toEqual(words(written));
  // The page does not know these.
  expect(written).not.toMatch(/\*\*|\]\(|^\s+- |^\d+\. |^>|^\|/m);
});

test('each release and each of its parts has an anchor', () => {
  const parts = readChangelog(
    '# Changelog\n\n## 1.1.0\n\n### API\n\n- One\n  two `three`.\n\n- Four.\n\n## 1.0.0\n\nFirst.\n### API\n- Five.\n',
  );
  expect(parts).toEqual([
    { id: 'changes-1-1-0', title: '1.1.0', level: 2, paragraphs: [], changes: [] },
    {
      ...{ id: 'changes-1-1-0-api', title: 'API', level: 3, paragraphs: [] },
      changes: ['One two `three`.', 'Four.'],
    },
    { id: 'changes-1-0-0', title: '1.0.0', level: 2, paragraphs: ['First.'], changes: [] },
    {
      ...{ id: 'changes-1-0-0-api', title: 'API', level: 3, paragraphs: [] },
      changes: ['Five.'],
    },
  ]);
  const ids = CHANGELOG.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
