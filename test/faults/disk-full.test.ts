import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { eventually, makeKey, serve } from '../support/command.ts';
import { requireProgram } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HALF_MEGABYTE_IN_BLOCKS = 1024;

test('a full disk fails creations with 503 but not reads, loses nothing, and needs no restart', async () => {
  const prlimit = requireProgram('prlimit', 'util-linux');
  using folder = temporaryFolder();
  const file = join(folder.path, 'store.db');
  const settings = { DATABASE_URL: `sqlite:${file}` };
  const { secret } = await makeKey(settings, 'crowded');
  // Files can grow to half a megabyte. The service ignores the signal that would kill it.
  const limited = `trap '' XFSZ; ulimit -S -f ${HALF_MEGABYTE_IN_BLOCKS}; exec "$@"`;
  await using service = await serve(settings, (words) => ['sh', '-c', limited, 'sh', ...words]);
  const url = `${service.started.api}/pets`;
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'x'.repeat(255), categoryId: 1 });
  const add = () => fetch(url, { method: 'POST', headers, body });

  const created: number[] = [];
  let refused: Response | undefined;
  while (refused === undefined) {
    const responses = await Promise.all(Array.from({ length: 50 }, add));
    for (const response of responses) {
      if (response.status === 201) created.push(((await response.json()) as { id: number }).id);
      else refused = response;
    }
    expect(created.length).toBeLessThan(50_000);
  }
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.has('x-ratelimit-limit')).toBe(true);
  expect(await refused.json()).toMatchObject({ code: 'service_unavailable' });
  expect((await fetch(`${url}/${created.at(-1)}`, { headers })).status).toBe(200);
  await eventually(() => service.stderr().includes(`Cannot write ${file}: `));

  Bun.spawnSync([prlimit, '--pid', String(service.pid), '--fsize=unlimited']);
  await eventually(async () => (await add()).status === 201);
  for (const id of created.slice(-100)) {
    expect((await fetch(`${url}/${id}`, { headers })).status).toBe(200);
  }
});
