import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { findings } from './lint.ts';

const committed = readFileSync('openapi.json', 'utf8');

test('the linter finds nothing in the committed document', async () => {
  expect(await findings(committed)).toEqual([]);
});

test('the linter finds what breaks our own rules, of which one with a mistake would find nothing', async () => {
  const document = JSON.parse(committed);
  const { components, paths, servers } = document;
  const { get, post } = paths['/pets'];
  delete components.responses.Unauthorized.headers['WWW-Authenticate'];
  delete components.schemas.NewPet.properties.name.maxLength;
  delete components.headers.Location.schema.format;
  delete components.schemas.Pets.maxItems;
  delete get.parameters[0].schema.maximum;
  delete get.responses[429];
  get.parameters[0].name = 'api_key';
  post.security = [];
  servers[0].url = 'http://animal-store.example/v1';
  const found = await findings(JSON.stringify(document));
  const rules = new Set(found.map((finding) => finding.split(' ')[0]));
  for (const rule of [
    'response-contains-header',
    'rule/arrays-are-bounded',
    'rule/errors-of-every-operation',
    'rule/integers-have-format-and-bounds',
    'rule/no-credentials-in-urls',
    'rule/no-plain-http',
    'rule/no-security-of-one-operation',
    'rule/strings-are-bounded',
    'rule/strings-are-restricted',
  ]) {
    expect(rules).toContain(rule);
  }
});
