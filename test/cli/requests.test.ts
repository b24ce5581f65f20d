import { expect, test } from 'bun:test';
import { printed, refusal, runJson, serveWithKey } from '../support/command.ts';
import { eventually } from '../support/time.ts';

test('requests of an account, one by its id, and the last refusal of a key show why it is blocked', async () => {
  const OPERATOR_TOKEN = 'correct-horse-battery';
  await using service = await serveWithKey({ OPERATOR_TOKEN, LOG_LEVEL: 'info' });
  const { account, keyId, started, get } = service;
  expect(service.stdout()).not.toContain(OPERATOR_TOKEN);
  const settings = { ...service.settings, OPERATOR_PORT: new URL(started.operator).port };
  const atApi = { ...settings, OPERATOR_PORT: new URL(started.listening).port };
  const withoutToken = { ...settings, OPERATOR_TOKEN: '' };
  const send = async () => (await get('/pets')).headers.get('x-request-id') ?? '';
  const served = await send();
  expect(await printed(settings, `accounts requests ${account}`)).toMatch(/^Complete/);
  await runJson(settings, `accounts suspend ${account} --yes`);
  const refused = [await send(), await send()];
  const code = 'account_suspended';
  const address = '127.0.0.1';
  const row = { account, key: keyId, status: 401, code, count: 2, address, requestId: refused[1] };
  for (const line of [
    `accounts requests ${account}`,
    `requests find ${refused[0]?.toUpperCase()}`,
  ]) {
    expect(await runJson(settings, line)).toMatchObject({ rows: [row] });
  }
  expect(await printed(settings, `accounts requests ${account}`)).toMatch(
    / account_suspended .*\nComplete since 20/,
  );

  for (const [id, status] of [
    [served, 200],
    [refused[0], 401],
  ]) {
    const found = await printed(settings, `requests find ${id}`);
    const [, text = 'none'] = /grep '(.*)'\n$/.exec(found) ?? [];
    const logged = () => service.stderr().split('\n').slice(0, -1);
    const find = () => logged().find((each) => each.includes(text));
    await eventually(() => find() !== undefined);
    expect(JSON.parse(find() ?? '')).toMatchObject({ status, account, key: keyId });
  }
  for (const [environment, message, ...words] of [
    [settings, 'An X-Request-Id is a UUID', 'requests find 7'],
    [settings, 'An X-Request-Id is a UUID', 'requests', 'find', ''],
    [settings, 'Account "nobody" does not exist.', 'accounts requests nobody'],
    [atApi, 'is not the console of a service', 'requests find 7'],
    [withoutToken, 'Set OPERATOR_TOKEN', 'requests find 7'],
  ] as const) {
    expect(await refusal(environment, ...words)).toContain(message);
  }

  await service.stop();
  const [key] = await runJson(settings, `keys list ${account}`);
  const time = expect.stringMatching(/^20/);
  expect(key).toMatchObject({ lastUsedAt: time, lastRefusedAt: time, lastRefusal: code });
});
