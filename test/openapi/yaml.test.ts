import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { documentToYaml } from '../../src/contract/openapi-yaml.ts';
import { run } from '../support/command.ts';
import { pythonWith } from '../support/programs.ts';

/** Python keeps every digit, and PyYAML follows YAML 1.1, whose rules are the trap. */
const COMPARE = `
import json, sys, yaml
texts = json.load(sys.stdin)
sys.exit(json.dumps(yaml.safe_load(texts["yaml"])) != json.dumps(json.loads(texts["json"])))
`;

const TRAPS = [
  ...[
    'yes',
    'No',
    'ON',
    'null',
    '~',
    'y',
    '',
    ' ',
    '-',
    '- x',
    '?',
    '1',
    '1.0',
    '0x1f',
    '1e3',
    '.inf',
  ],
  ...[
    '12:30:45',
    '2030-12-05',
    '@1794614400',
    '*',
    '&a',
    '!b',
    '%c',
    '`d`',
    'a: b',
    'a:',
    'a #b',
    '#',
  ],
  ...[
    '{a}',
    '[a]',
    "it's",
    'say "x"',
    'back\\slash',
    '\ttab',
    'trailing ',
    ' leading',
    'é, 😀, 中文',
  ],
  ...[
    'two\nlines',
    'kept\n',
    'many\n\n\n',
    '\nfirst',
    '  in\ndent',
    'in\n  dent\n',
    'bell \x07',
    'a\r\nb',
  ],
  ...[
    'a\u0085b',
    'a\u2028b',
    '\ufeffa',
    `long ${'word '.repeat(40)}end`,
    `double  space ${'x '.repeat(60)}`,
  ],
];

test('openapi --yaml prints the committed document, with every digit and every string', async () => {
  const { stdout, exitCode } = await run({ PUBLIC_URL: '', STAGING_URL: '' }, 'openapi', '--yaml');
  expect(exitCode).toBe(0);
  expect(isEqual(stdout, await Bun.file('openapi.json').text())).toBe(true);
  expect(stdout).toContain('maximum: 9223372036854775807\n');
  expect(stdout).toContain('x-removed-at: "2030-12-05"\n');
});

test('values that look like others come back as they were', () => {
  const document = {
    ...Object.fromEntries(TRAPS.map((text) => [text, text])),
    nested: [[TRAPS, []], { a: {}, b: [{ c: [true, false, null, -1, 0] }], d: undefined }],
  };
  expect(isEqual(documentToYaml(document), JSON.stringify(document))).toBe(true);
});

test('any document comes back from a parser of YAML 1.2', () => {
  const character = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...' \n:#-"\'a', 'word '), character),
  });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(text, fc.integer(), fc.boolean(), tie('nest')),
    nest: fc.oneof({ maxDepth: 3 }, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
  }));
  fc.assert(
    fc.property(fc.dictionary(text, value, { minKeys: 1 }), (document) => {
      expect(Bun.YAML.parse(documentToYaml(document))).toEqual(document);
    }),
  );
});

/** True if Python reads the same value from both. */
function isEqual(yaml: string, json: string): boolean {
  const input = Buffer.from(JSON.stringify({ yaml, json }));
  return Bun.spawnSync([pythonWith('yaml'), '-c', COMPARE], { stdin: input }).success;
}
