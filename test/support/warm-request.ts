import { test } from 'bun:test';
import { Metrics } from '../../src/operator/metrics.ts';
import { UsageRecorder } from '../../src/operator/usage-recorder.ts';
import { failLoudly } from './fail-loudly.ts';
import { startService } from './service.ts';

// Run with coverage by test/warm-request.test.ts, which counts the lines that each request runs.

test('warm requests', async () => {
  const metrics = new Metrics();
  const history = { add: async () => {}, compact: async () => {} };
  const recorder = new UsageRecorder({
    ...{ history, now: Date.now, writer: 'warm' },
    ...{ onBatchLost: failLoudly, onCompactionFailed: failLoudly },
  });
  await using service = await startService({
    replace: {
      observe(call, response, seconds) {
        metrics.observe(call, response, seconds);
        recorder.record(call, response);
      },
    },
  });
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
