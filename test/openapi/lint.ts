import { createConfig, lintFromString } from '@redocly/openapi-core';

function schemasOfType(type: string) {
  const subject = { type: 'Schema', property: 'type' };
  return { subject: { type: 'Schema' }, where: [{ subject, assertions: { const: type } }] };
}

/** Redocly's strictest rules, and those of the OWASP API Security Top 10 that fit this API. */
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'operation-description': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'rule/integers-have-format-and-bounds': {
      ...schemasOfType('integer'),
      assertions: { required: ['format', 'minimum', 'maximum'] },
    },
    'rule/strings-are-bounded': {
      ...schemasOfType('string'),
      assertions: { requireAny: ['maxLength', 'enum', 'const'] },
    },
    'rule/strings-are-restricted': {
      ...schemasOfType('string'),
      assertions: { requireAny: ['format', 'pattern', 'enum', 'const'] },
    },
    'rule/arrays-are-bounded': {
      ...schemasOfType('array'),
      assertions: { required: ['maxItems'] },
    },
    // The document requires a key everywhere. One operation could only require less.
    'rule/no-security-of-one-operation': {
      subject: { type: 'Operation' },
      assertions: { disallowed: ['security'] },
    },
    'rule/no-credentials-in-urls': {
      subject: { type: 'Parameter', property: 'name' },
      where: [
        {
          subject: { type: 'Parameter', property: 'in' },
          assertions: { enum: ['query', 'path'] },
        },
      ],
      assertions: { notPattern: '/key|token|secret|password|credential/i' },
    },
  },
});

/** The rules that a document breaks, each with the place where it does. */
export async function findings(source: string): Promise<string[]> {
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`);
}
