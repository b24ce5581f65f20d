import { describe, expect, test } from 'bun:test';
import * as contract from '#contract/operations.ts';
import { namedSchemas, nameOfRef } from '#contract/schemas.ts';
import * as domain from '#domain/pet.ts';
import { redactor } from '../../packages/conformance/src/http.ts';
import { OPERATIONS } from '../../packages/conformance/src/operations.ts';
import { CONTRACT, reportLines } from '../../packages/conformance/src/run.ts';
import { createPet, isPet, PET_FIELDS, REQUESTS } from '../../packages/conformance/src/samples.ts';
import { REFUSED_VALUES } from '../../packages/conformance/src/service.ts';
import { CannotRun } from '../../packages/conformance/src/session.ts';
import { rejection } from '../support/time.ts';
import { BROKEN_SERVERS } from './broken/broken-servers.ts';
import { checkDeployment, type Fault, KEY, WITHOUT_FREE_KEY } from './deployment.ts';
import { authorizationOf, onResponse, withField, withStatus, withText } from './faults.ts';

test('the checks know every field of a pet', () => {
  expect(Object.keys(PET_FIELDS)).toEqual(domain.PET_FIELDS);
  // Every sample pet has these fields, and a pet that is read again has them too.
  expect(Object.keys(JSON.parse(createPet().body ?? ''))).toEqual(domain.NEW_PET_FIELDS);
});

test.each(domain.NEW_PET_FIELDS)('the checks send a value that breaks each rule of %s', (field) => {
  const { NewPet = {}, ...schemas } = namedSchemas();
  const { $ref = '', ...property } = NewPet.properties?.[field] ?? {};
  const rules = { ...property, ...schemas[nameOfRef($ref)] };
  const values = REFUSED_VALUES.flatMap(([, name, , ...rest]) => (name === field ? rest : []));
  // An object in createPet.body.invalidValues breaks the type. The contract has no rules for the text of a name.
  const needed: unknown[] = [];
  if (NewPet.required?.includes(field)) needed.push(undefined);
  if (rules.minimum !== undefined) needed.push(BigInt(rules.minimum) - 1n);
  if (rules.maximum !== undefined) needed.push(BigInt(rules.maximum) + 1n);
  if (rules.enum) needed.push(values.find((value) => typeof value === 'string') ?? 'a text');
  expect(values.map(String)).toEqual(expect.arrayContaining(needed.map(String)));
  expect(values).not.toBeEmpty();
});

test.each(domain.PET_FIELDS)('a pet without a valid %s is not a pet', (field) => {
  const pet = { id: 1n, name: 'Rex', categoryId: 1n, status: 'sold' };
  expect(isPet(pet)).toBe(true);
  expect(isPet({ ...pet, [field]: [] })).toBe(false);
});

test('every check fails on at least one broken server', () => {
  const caught = new Set(BROKEN_SERVERS.flatMap(({ caughtBy }) => caughtBy));
  const ids = CONTRACT.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  // These fail in staging.slow.test.ts and run.slow.test.ts.
  const others = ['service.addresses', 'service.prefix'];
  expect(ids.filter((id) => !caught.has(id))).toEqual(others);
});

test.each(contract.OPERATION_NAMES)('%s has its request and statements', (name) => {
  const { method, path, body }: contract.Operation = contract.OPERATIONS[name];
  expect({ method: 'GET', ...REQUESTS[name] }).toEqual({
    method,
    path: path.replace('{petId}', '9223372036854775807'),
    ...(body && { body: expect.any(String) }),
  });
  const needed = [
    ...(path.includes('{petId}') ? ['notFound', 'petId.integer'] : []),
    ...(body ? ['body.required', 'body.invalidValues', 'body.json'] : []),
    // listPets.contains reads new pets again.
    ...(method === 'GET' || name === 'createPet' ? [] : ['stored']),
  ];
  const ids = OPERATIONS[name].map(({ id }) => id);
  expect(ids).not.toBeEmpty();
  expect(needed.filter((id) => !ids.includes(`${name}.${id}`))).toEqual([]);
});

test('the sentences of statements contain only numbers of the contract', () => {
  const numbers = CONTRACT.flatMap(({ statement }) => statement.match(/\d[\d,]+/g) ?? []);
  expect([...new Set(numbers)].sort().join(' ')).toBe(
    '1,000 10,000 100 100,000 20 200 201 2030 300 400 401 403 404, 429 60 64',
  );
});

test('a run changes data only by adding pets, as JSON', async () => {
  const written = new Set<string>();
  const fault: Fault = (request, service) => {
    const type = request.headers.get('content-type');
    if (request.method !== 'GET') written.add(`${new URL(request.url).pathname} ${type}`);
    return service(request);
  };
  await checkDeployment({ fault });
  expect([...written]).toEqual(['/v1/pets application/json']);
});

test.each([
  [
    'the key only gets 429',
    { fault: onResponse(() => true, withStatus(429)) },
    { key: KEY },
    'still returns 429 after 3 waits',
  ],
  [
    'the Free plan key is refused',
    {},
    { key: KEY, free: 'another-key' },
    'does not accept the free key',
  ],
  ['both keys are the same', {}, { key: KEY, free: KEY }, 'another account'],
  [
    'the address does not exist',
    { fault: onResponse(() => true, withStatus(404)) },
    { key: KEY },
    '/pets returns 404',
  ],
])('a run does not start if %s', async (_, server, keys, message) => {
  const error = await rejection(checkDeployment(server, { keys }), CannotRun);
  expect(error.message).toContain(message);
});

describe('a report', () => {
  test('never shows a key, even if the service echoes it', async () => {
    const fault = onResponse(
      () => true,
      (response, request) => {
        const key = authorizationOf(request);
        response.headers.set('X-RateLimit-Limit', key);
        // A truncated text must not show the start of a key.
        if (response.status === 404) return withField('code', [key])(response);
        return withText(() => `${' '.repeat(585)}${key}`)(response);
      },
    );
    const report = await checkDeployment({ fault });
    expect(report.failed).toBeGreaterThan(5);
    const shown = JSON.stringify(report);
    expect(shown).toContain('(key)');
    expect(shown).not.toContain('key-of');
  });

  test.each([
    ['as it is', 'short/key+c=='],
    ['in capitals', 'SHORT/KEY+C=='],
    ['escaped in JSON', 'short\\/key+c=='],
    ['encoded in a URL', 'short%2Fkey%2bc%3D%3D'],
  ])('shows no key %s, but words that equal a short one', (_, text) => {
    expect(redactor(['short/key', 'short/key+c=='])(`<${text}>`)).toBe('<(key)>');
    expect(redactor(['short/k'])(text)).toBe(text);
  });

  test('shows no key of eight characters, and the first 600 characters of a text', () => {
    const text = 'x'.repeat(600);
    expect(redactor(['secret/8'])('secret/8')).toBe('(key)');
    expect(redactor([])(text)).toBe(text);
    expect(redactor([])(`${text}y`)).toBe(`${text}… (1 more characters)`);
  });

  test('has the expectation, a curl command and the response of a failed check', async () => {
    const fault = onResponse(
      (_, { url }) => url.includes('limit=abc'),
      ({ headers }) => new Response(`["${KEY}"]`, { headers }),
    );
    const report = await checkDeployment({ fault }, WITHOUT_FREE_KEY);
    const request = `curl -i '${report.url}/pets?limit=abc' -H "Authorization: Bearer $ANIMAL_STORE_API_KEY"`;
    const line = '  ✗ A limit that is not an integer is rejected  [listPets.limit.integer]';
    const lines = reportLines(report);
    expect(lines.slice(lines.indexOf(line), lines.indexOf(line) + 4)).toEqual([
      line,
      '      expected: a 4xx status',
      '      got:      200',
      `      request:  ${request}`,
    ]);
    expect(lines.join('\n')).toContain('["(key)"]');
    expect(lines.slice(-5, -3)).toEqual(['Failed statements', line]);
  });
});
