import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { ERRORS } from '#contract/errors.ts';
import { OPERATIONS, type Operation } from '#contract/operations.ts';
import { printed } from '../support/command.ts';
import { lacks, requireProgram } from '../support/programs.ts';
import type { Settings } from '../support/store.ts';
import { findings } from './lint.ts';

const committed = readFileSync('openapi.json', 'utf8');
const document = JSON.parse(committed);

test('the committed document is the one that the program prints', async () => {
  if ((await printed({}, 'openapi')) !== committed) {
    throw new Error(
      'openapi.json is stale. Update it: npx --no animal-store openapi > openapi.json',
    );
  }
});

test('a document lists only servers that exist, and examples without variables if none is known', async () => {
  const urlsWith = async (settings: Settings) => {
    const { servers } = JSON.parse(await printed(settings, 'openapi'));
    type Server = { url: string; variables?: object };
    return servers.map(({ url, variables }: Server) => (variables ? undefined : url));
  };
  expect(await urlsWith({})).toEqual([
    'https://animal-store.example/v1',
    'https://staging.animal-store.example/v1',
  ]);
  const PUBLIC_URL = 'https://pets.example';
  expect(await urlsWith({ PUBLIC_URL })).toEqual([`${PUBLIC_URL}/v1`]);
  expect(await urlsWith({ STAGING: 'on' })).toEqual(['https://staging.animal-store.example/v1']);
});

/** Python keeps every digit, and PyYAML follows YAML 1.1, which reads some plain texts as other types. */
const COMPARE = `
import json, sys, yaml
texts = json.load(sys.stdin)
sys.exit(json.dumps(yaml.safe_load(texts["yaml"])) != json.dumps(json.loads(texts["json"])))
`;

test.skipIf(lacks('python3-yaml'))(
  'openapi --yaml prints the committed document, with every digit and every string',
  async () => {
    const yaml = await printed({}, 'openapi --yaml');
    const stdin = Buffer.from(JSON.stringify({ yaml, json: committed }));
    const python = [requireProgram('python3-yaml'), '-c', COMPARE];
    expect(Bun.spawnSync(python, { stdin }).success).toBe(true);
  },
);

test('the linter finds nothing in the committed document', async () => {
  expect(await findings(committed)).toEqual([]);
});

test.each(Object.entries<Operation>(OPERATIONS))(
  '%s can be removed if it is deprecated, and knows reused keys if it takes an Idempotency-Key',
  (_, { errors, deprecation, requestHeaders }) => {
    expect(errors.includes('operation_removed')).toBe(deprecation !== undefined);
    expect(errors.includes('idempotency_key_reused')).toBe('Idempotency-Key' in requestHeaders);
  },
);

describe('the document', () => {
  test('has a name for the schema of every body', () => {
    JSON.parse(committed, (member, value) => {
      if (member === 'application/json') expect(value.schema).toHaveProperty('$ref');
      return value;
    });
  });

  test('has an example and the meaning of every error code', () => {
    const examples = new Map<string, object>();
    JSON.parse(committed, (_, value) => {
      if (typeof value?.code === 'string') examples.set(value.code, value);
      return value;
    });
    for (const [code, { status, meaning, remedy, example }] of Object.entries(ERRORS)) {
      expect(document.components.schemas.Error.properties.code.description).toContain(
        `| \`${code}\` | ${status} | ${meaning} |`,
      );
      expect(document['x-errors'][code]).toEqual({ status, meaning, remedy, example });
      // These two codes are for paths and methods outside every operation.
      if (code === 'route_not_found' || code === 'method_not_allowed') continue;
      expect(examples.get(code)).toMatchObject({ code, status });
    }
  });

  test('describes every field', () => {
    type Shape = { properties?: Record<string, { description?: string; $ref?: string }> };
    const shapes = Object.values<Shape>(document.components.schemas);
    const fields = shapes.flatMap(({ properties = {} }) => Object.entries(properties));
    const silent = fields.filter(([, { description, $ref }]) => !description && !$ref);
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  test('has only patterns that mean the same in every language, with and without Unicode', async () => {
    const patterns: string[] = [];
    for (const text of [committed, await printed({ STAGING: 'on' }, 'openapi')]) {
      JSON.parse(text, (member, value) => {
        if (member === 'pattern') patterns.push(value);
      });
    }
    expect(patterns.length).toBeGreaterThan(10);
    for (const pattern of patterns) {
      expect(() => [new RegExp(pattern), new RegExp(pattern, 'u')]).not.toThrow();
      // Go, Python and others escape other characters differently, and not all can look around.
      expect(pattern.match(/\\(?!x[\dA-Fa-f]{2}|\.)|\(\?|[^ -~]/)).toBeNull();
    }
  });

  test('describes the default of status only in words, because generated clients would require a status with a default', () => {
    const { required, properties } = document.components.schemas.NewPet;
    expect(required).toEqual(['name', 'categoryId']);
    expect(properties.status).not.toHaveProperty('default');
    expect(properties.status.description).toContain('without a status is available');
  });
});
