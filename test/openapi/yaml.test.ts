import { expect, test } from 'bun:test';
import { run } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';

/** Python keeps every digit, and PyYAML follows YAML 1.1, whose rules are the trap. */
const COMPARE = `
import json, sys, yaml
texts = json.load(sys.stdin)
sys.exit(json.dumps(yaml.safe_load(texts["yaml"])) != json.dumps(json.loads(texts["json"])))
`;

test('openapi --yaml prints the committed document, with every digit and every string', async () => {
  const { stdout, exitCode } = await run({ PUBLIC_URL: '', STAGING_URL: '' }, 'openapi', '--yaml');
  expect(exitCode).toBe(0);
  expect(isEqual(stdout, await Bun.file('openapi.json').text())).toBe(true);
  expect(stdout).toContain('maximum: 9223372036854775807\n');
  expect(stdout).toContain('x-removed-at: "2030-12-05"\n');
});

/** True if Python reads the same value from both. */
function isEqual(yaml: string, json: string): boolean {
  const input = Buffer.from(JSON.stringify({ yaml, json }));
  return Bun.spawnSync([requireProgram('python3-yaml'), '-c', COMPARE], { stdin: input }).success;
}
