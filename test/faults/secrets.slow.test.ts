import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintSecret } from '#domain/key-secret.ts';
import { platform } from '#platform.ts';
import { makeKey, run, runJson, serve } from '../support/command.ts';
import { newFile } from '../support/temporary-folder.ts';

/** Percent-encodes every character, so that a search for the text itself does not find it. */
function encoded(text: string) {
  return text.replace(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`);
}

test('no secret appears in the data file, the WAL, a log line, a response or a listing', async () => {
  const { folder, settings } = newFile();
  await using service = await serve({ ...settings, LOG_LEVEL: 'debug' });
  const { id, secret } = await makeKey(settings, 'secretive');
  const rotate = `keys rotate ${id}`;
  const { successor } = await runJson<{ successor: { secret: string } }>(settings, rotate);
  const { api, operator, demoKey = '' } = service.started;
  expect(demoKey).toStartWith('ask_');
  const output: string[] = [];
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${api}${path}`, { headers, ...init });
    output.push(await response.text(), JSON.stringify([...response.headers]));
  };
  const testKey = mintSecret(platform.randomBytes, 'staging');
  // Besides a valid request, these are places where people put keys by mistake.
  for (const path of [
    'pets',
    `pets/${secret}`,
    `pets/${encoded(secret)}`,
    `pets?api_key=${secret}`,
    `${testKey}/pets`,
    secret.slice(4),
    secret.slice(4, -6),
    btoa(secret),
  ]) {
    await call(`/${path}`);
  }
  await call('/pets', { method: 'POST', body: `{"name":1,"categoryId":"${secret}"}` });
  for (const headers of [
    { Authorization: `Bearer ${testKey}` },
    { Authorization: `Basic ${secret}` },
    { 'User-Agent': secret },
    { traceparent: secret },
  ]) {
    await call('/pets', { headers });
  }
  output.push(await (await fetch(`${operator}/metrics`)).text());
  output.push((await run(settings, 'keys list --json')).stdout);

  const files = readdirSync(folder);
  expect(files).toContain('store.db-wal');
  const stored = files.map((file) => readFileSync(join(folder, file), 'latin1'));
  service.kill('SIGTERM');
  await service.exited;
  expect(service.stderr()).toContain('"requestId"');
  const everything = [...output, ...stored, service.stderr()].join('\n');
  for (const each of [secret, successor.secret, demoKey, testKey]) {
    const random = each.slice(-38, -6);
    expect(everything).not.toContain(random);
    expect(everything).not.toContain(btoa(each));
    expect(everything.toLowerCase()).not.toContain(encoded(random));
  }
});
