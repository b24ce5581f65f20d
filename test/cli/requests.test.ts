import { afterAll, expect, test } from 'bun:test';
import { run, runJson, serveWithKey } from '../support/command.ts';

const OPERATOR_TOKEN = 'correct-horse-battery';
const service = await serveWithKey({ OPERATOR_TOKEN, LOG_LEVEL: 'info' });
afterAll(() => service[Symbol.asyncDispose]());
const { port: OPERATOR_PORT } = new URL(service.started.operator);
const settings = { ...service.settings, OPERATOR_PORT, OPERATOR_TOKEN };
const { account, keyId } = service;

async function idOf(request: Promise<Response>): Promise<string> {
  return (await request).headers.get('x-request-id') ?? '';
}

test('why a caller is blocked: requests of its account, one by its id, and the last refusal of its key', async () => {
  const served = await idOf(service.get('/pets'));
  await runJson(settings, `accounts suspend ${account} --yes`);
  await service.get('/pets');
  const refused = await idOf(service.get('/pets'));
  const row = { account, key: keyId, code: 'account_suspended', count: 2, requestId: refused };
  for (const line of [`accounts requests ${account}`, `requests find ${refused}`]) {
    expect(await runJson<object>(settings, line)).toMatchObject({ rows: [row] });
  }
  const { stdout } = await run(settings, `accounts requests ${account}`);
  expect(stdout).toMatch(/ account_suspended .*\nThis instance has all failed requests since 20/);

  const found = await run(settings, `requests find ${served}`);
  expect(found.stdout).toMatch(/^The request of 20\S+Z did not fail on this instance\./);
  for (const [id, status] of [
    [served, 200],
    [refused, 401],
  ] as const) {
    const { note } = await runJson<{ note: string }>(settings, `requests find ${id}`);
    const [, text = 'none'] = /grep '(.*)'$/.exec(note) ?? [];
    const line =
      service
        .stderr()
        .split('\n')
        .find((each) => each.includes(text)) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ status, account, key: keyId });
  }

  await service.stop();
  const [key] = await runJson<object[]>(settings, `keys list ${account}`);
  const time = expect.stringMatching(/^20/);
  const lastRefusal = 'account_suspended';
  expect(key).toMatchObject({ lastUsedAt: time, lastRefusedAt: time, lastRefusal });
});

test('a command that cannot ask the service says what to do', async () => {
  await using other = await serveWithKey({ OPERATOR_TOKEN });
  const { port } = new URL(other.started.operator);
  const asked = { ...other.settings, OPERATOR_PORT: port, OPERATOR_TOKEN };
  const stderrOf = async (changes: object, line: string) =>
    (await run({ ...asked, ...changes }, line)).stderr;
  expect(await stderrOf({}, 'requests find 7')).toContain('An X-Request-Id is a UUID');
  expect(await stderrOf({}, 'accounts requests nobody')).toContain(
    'Account "nobody" does not exist.',
  );
  expect(await stderrOf({ OPERATOR_TOKEN: 'x'.repeat(16) }, 'requests find 7')).toContain(
    'is wrong',
  );
  expect(await stderrOf({ OPERATOR_PORT: '1' }, 'requests find 7')).toContain('Cannot reach');
  const { OPERATOR_TOKEN: _, ...withoutToken } = asked;
  expect((await run(withoutToken, 'requests find 7')).stderr).toContain('Set OPERATOR_TOKEN');
});
