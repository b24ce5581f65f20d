import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { fill, LARGE, petOf, SMALL, secretOf } from '../../bench/harness/fixture.ts';
import { cpuSeconds, peakMemoryMb } from '../../bench/harness/process-tree.ts';
import { ask, type Topic } from '../../bench/harness/questions.ts';
import { toLines, WORKLOADS } from '../../bench/harness/workloads.ts';
import { petToJson } from '../../src/domain/pet.ts';
import { openSqliteTransfer } from '../../src/sqlite/transfer.ts';
import { eventually, serve } from '../support/command.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CAPTURED = { status: 200, headers: { 'x-a': '1' }, body: '{}' };
const TOPICS: Topic[] = ['getPet', 'petShape', 'listPets', 'createPet', 'keys', 'errors'];

describe('what a contender is asked', () => {
  test('Animal Store knows every answer', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'store.db');
    {
      await using store = openSqliteTransfer(file);
      await fill(store, SMALL);
    }
    await using service = await serve({ DATABASE_URL: `sqlite:${file}` });
    await ask(new URL(service.started.listening).origin, TOPICS, CAPTURED);
  });

  test.each([...TOPICS, 'answer'] as Topic[])(
    'a wrong answer about %s is an error',
    async (topic) => {
      await using server = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: () => Response.json({ id: 1, name: 'Nobody', categoryId: '1', status: 'lost' }),
      });
      const error = await rejection(ask(server.url.origin, [topic], CAPTURED));
      expect((error as Error).message).toStartWith('It does not ');
    },
  );

  test('an answer that is wrong in one digit is an error', async () => {
    let wrong = 0n;
    await using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch({ url }) {
        const pet = petOf(Number(url.split('/').at(-1)));
        const body = petToJson({ ...pet, categoryId: pet.categoryId + wrong });
        const limits = { 'X-RateLimit-Limit': '9', 'X-RateLimit-Remaining': '8' };
        const headers = { 'Content-Type': 'application/json', 'X-RateLimit-Reset': '7', ...limits };
        return new Response(body, { headers });
      },
    });
    await ask(server.url.origin, ['getPet'], CAPTURED);
    wrong = 1n;
    const error = await rejection(ask(server.url.origin, ['getPet'], CAPTURED));
    expect((error as Error).message).toStartWith('It does not answer the right body');
  });
});

describe('what a contender is loaded with', () => {
  test('every planned request has the six fields that load generators read', () => {
    for (const [name, { requests }] of Object.entries(WORKLOADS)) {
      const lines = toLines(requests(SMALL)).split('\n').slice(0, -1);
      expect([name, ...new Set(lines.map((line) => line.split('\t').length))]).toEqual([name, 6]);
    }
  });

  test('in a store of many accounts, each sends a request', () => {
    const keys = new Set(WORKLOADS.getPet.requests(LARGE).map(({ key }) => key));
    expect(keys.size).toBe(LARGE.busyAccounts);
    expect(keys).toContain(secretOf(LARGE.busyAccounts));
  });

  test('of a hundred mixed requests, ninety get, nine list and one creates', () => {
    const mix = WORKLOADS.mix.requests(SMALL);
    const share = (pattern: RegExp) =>
      mix.filter(({ method = 'GET', path }) => pattern.test(`${method} ${path}`)).length /
      mix.length;
    expect(share(/^GET \/v1\/pets\/\d/)).toBe(0.9);
    expect(share(/^GET \/v1\/pets\?/)).toBe(0.09);
    expect(share(/^POST/)).toBe(0.01);
  });
});

test('time and memory are those of a process and all that it has started', async () => {
  const busy = 'while (process.cpuUsage().user < 500_000); await Bun.sleep(30_000)';
  // The child ends with its parent, and that with this test, whatever becomes of it.
  const child = ['setpriv', '--pdeathsig', 'KILL', process.execPath, '-e', busy];
  const parent = `Bun.spawn(${JSON.stringify(child)}, { stdout: 'ignore' }); await Bun.sleep(30_000)`;
  await using started = Bun.spawn([process.execPath, '-e', parent], { stdout: 'ignore' });
  const alone = peakMemoryMb(started.pid);
  await eventually(() => cpuSeconds(started.pid) >= 0.5);
  expect(peakMemoryMb(started.pid)).toBeGreaterThan(alone);
});
