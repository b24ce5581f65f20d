import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { Code, type CodeLanguage, tokensOf } from '../../src/reference/code.tsx';
import { LANGUAGES, sampleOf } from '../../src/reference/samples/sample.ts';

const ALL: CodeLanguage[] = [...LANGUAGES.map(({ id }) => id), 'json', 'http', 'text'];

/** Text with many of the characters that begin or end a token. */
const codeLike = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'\'"`\\#/-{}:.0n \n\t$', 'const', 'import ', 'HTTP/1.1 200', 'curl', '//'),
    fc.string({ unit: 'binary', maxLength: 2 }),
  ),
});

for (const language of ALL) {
  test(`the tokens of ${language} lose no character`, () => {
    fc.assert(
      fc.property(codeLike, (code) => {
        const tokens = tokensOf(language, code);
        expect(tokens.map(({ text }) => text).join('')).toBe(code);
        expect(tokens.every(({ text }) => text !== '')).toBe(true);
      }),
    );
  });
}

test('code is escaped, and can be reached with the keyboard', () => {
  const page = renderToString(Code({ language: 'json', code: '{"a<b>": "</pre>", "c": -1.5}' }));
  expect(page).toBe(
    '<pre class="code" tabindex="0"><code>{<span class="code-name">&quot;a&lt;b>&quot;</span>: ' +
      '<span class="code-string">&quot;&lt;/pre>&quot;</span>, <span class="code-name">&quot;c&quot;</span>: ' +
      '<span class="code-number">-1.5</span>}</code></pre>',
  );
});

test.each([
  ['curl', 'name', ['curl']],
  ['typescript', 'number', ['9223372036854775807n']],
  ['fetch', 'keyword', ['const', 'await', 'const', 'await', 'if', 'throw', 'new']],
  ['python', 'comment', []],
  ['go', 'comment', []],
] as const)('a sample in %s has the right %ss', (language, kind, texts) => {
  const sample = sampleOf(language, {
    ...{ operation: 'getPet', method: 'GET', path: '/pets/{petId}' },
    baseUrl: 'https://shop.example/v1',
    values: { path: { petId: '9223372036854775807' }, query: {}, header: {} },
  });
  const found = tokensOf(language, sample).filter((token) => token.kind === kind);
  expect(found.map(({ text }) => text)).toEqual([...texts]);
});

test('a text in JSON that contains a quote and a colon is not a name', () => {
  const [, , , value] = tokensOf('json', '{"a": "send \\"Authorization: Bearer\\""}');
  expect(value).toEqual({ kind: 'string', text: '"send \\"Authorization: Bearer\\""' });
});
