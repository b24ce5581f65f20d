import { test } from 'bun:test';
import { Metrics } from '../../src/operator/metrics.ts';
import { startService } from './service.ts';

// Run with coverage by test/warm-request.test.ts, which counts the lines that each request runs.

test('warm requests', async () => {
  await using service = await startService({ replace: { observe: new Metrics().observe } });
  const { url, key } = service;
  const headers = { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' };
  const create = () =>
    fetch(`${url}/pets`, { method: 'POST', headers, body: '{"name":"Rex","categoryId":1}' });
  await create();
  const isCreation = Bun.env['OPERATION'] === 'createPet';
  for (let sent = 0; sent < Number(Bun.env['REQUESTS']); sent++) {
    await (isCreation ? create() : fetch(`${url}/pets/1`, { headers }));
  }
});
