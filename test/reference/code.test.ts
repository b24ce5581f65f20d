import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { indentJson } from '#reference/browser/response-view.tsx';
import { Code, tokensOf } from '#reference/code.tsx';
import { LANGUAGES } from '#reference/samples/languages.ts';
import { anyCharacter } from '../support/values.ts';

const ALL = [...LANGUAGES.map(({ id }) => id), 'json', 'http'];

/** Text with many of the characters that begin or end a token. */
const codeLike = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'\'"`\\#/-{}:.0n \n\t$', 'const', 'import ', 'HTTP/1.1 200', 'curl', '//'),
    anyCharacter,
  ),
});

test.each(ALL)('the tokens of %s lose no character', (language) => {
  fc.assert(
    fc.property(codeLike, (code) => {
      const texts = tokensOf(language, code).map(({ text }) => text);
      expect(texts.join('')).toBe(code);
    }),
  );
});

test('a comment starts a line or follows white space, so a URL is not a comment', () => {
  const comments = (language: string, code: string) =>
    tokensOf(language, code).flatMap(({ kind, text }) => (kind === 'comment' ? text : []));
  expect(comments('json', 'Link: <https://a.example/docs/errors#code>; rel="help"')).toEqual([]);
  expect(comments('go', '// why\nsend() // how')).toEqual(['// why', '// how']);
  expect(comments('python', 'send()\n    # why')).toEqual(['# why']);
});

test('code is escaped, and can be reached with the keyboard', () => {
  const page = renderToString(Code({ language: 'json', code: '{"a<b>": "</pre>"}' }));
  expect(page).toStartWith('<pre class="code" tabindex="0"><code>{<span class="code-name">');
  expect(page).toContain('&quot;&lt;/pre>&quot;</span>}');
});

test('JSON is indented as JSON.stringify does it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'small' }), (value) => {
      const expected = JSON.stringify(value, null, 2);
      expect(indentJson(JSON.stringify(value))).toBe(expected);
      expect(indentJson(expected)).toBe(expected);
    }),
  );
});
