import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { findings } from './lint.ts';

const committed = readFileSync('openapi.json', 'utf8');

test('the linter finds nothing in the committed document', async () => {
  expect(await findings(committed)).toEqual([]);
});

// biome-ignore lint/suspicious/noExplicitAny: a breakage may put anything anywhere.
type Loose = any;

/** Our own rules, because one with a mistake would find nothing. */
const BREAKAGES: [rule: string, breakage: (document: Loose) => void][] = [
  [
    'response-contains-header',
    ({ components }) => delete components.responses.Unauthorized.headers['WWW-Authenticate'],
  ],
  [
    'rule/integers-have-format-and-bounds',
    ({ paths }) => delete paths['/pets'].get.parameters[0].schema.maximum,
  ],
  [
    'rule/strings-are-bounded',
    ({ components }) => delete components.schemas.NewPet.properties.name.maxLength,
  ],
  [
    'rule/strings-are-restricted',
    ({ components }) => delete components.headers.Location.schema.format,
  ],
  ['rule/arrays-are-bounded', ({ components }) => delete components.schemas.Pets.maxItems],
  ['rule/errors-of-every-operation', ({ paths }) => delete paths['/pets'].get.responses[429]],
  ['rule/no-security-of-one-operation', ({ paths }) => (paths['/pets'].post.security = [])],
  [
    'rule/no-credentials-in-urls',
    ({ paths }) => (paths['/pets'].get.parameters[0].name = 'api_key'),
  ],
  ['rule/no-plain-http', ({ servers }) => (servers[0].url = 'http://animal-store.example/v1')],
];

test.each(BREAKAGES)('the linter finds %s in a document that breaks it', async (rule, breakage) => {
  const document = JSON.parse(committed);
  breakage(document);
  const found = await findings(JSON.stringify(document));
  expect(found.map((finding) => finding.split(' ')[0])).toContain(rule);
});
