import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OURS } from '../../bench/contenders/contenders.ts';
import { ROOT } from '../../bench/measure/checkout.ts';
import { check } from '../../bench/measure/checks.ts';
import { importFixture, SMALL } from '../../bench/measure/fixture.ts';
import type { Entry } from '../../bench/measure/pair.ts';
import { type PlannedRequest, send } from '../../bench/measure/request.ts';
import { WORKLOADS } from '../../bench/measure/workloads.ts';
import { toMarkdown } from '../../bench/report/markdown.ts';
import { withResults } from '../../bench/report/page.ts';
import { serve } from '../support/command.ts';
import { rejection } from '../support/rejection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a contender must send the same responses as Animal Store, digit for digit', async () => {
  using folder = temporaryFolder();
  const database = `sqlite:${join(folder.path, 'store.db')}`;
  importFixture(ROOT, database, SMALL);
  await using service = await serve({ DATABASE_URL: database });
  const { origin } = new URL(service.started.listening);
  const senderTo = (url: string) => ({
    contender: OURS,
    send: (request: PlannedRequest) => send(url, request),
  });
  const ours = senderTo(origin);
  for (const name of ['getPet', 'listPets20', 'listSold20', 'unauthorized', 'createPet'] as const) {
    await check(ours, ours, WORKLOADS[name].request(0, SMALL));
  }
  await using other = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url, headers }) {
      const response = await fetch(origin + new URL(url).pathname, { headers });
      const body = (await response.text()).replace('"categoryId":2', '"categoryId":3');
      return new Response(body, response);
    },
  });
  const request = WORKLOADS.getPet.request(0, SMALL);
  const error = await rejection(check(senderTo(other.url.origin), ours, request));
  expect((error as Error).message).toStartWith('GET /v1/pets/1: expected 200');
});

test('the speed is the median of the ratios within each window', () => {
  const entry = (title: string, cpuUs: number[]): Entry => {
    const figures = { p99Us: 2_000, peakMemoryMb: 50, startMs: 100 };
    return { contender: { ...OURS, title }, workload: 'getPet', cpuUs, ...figures };
  };
  const ours = entry('Ours', [10, 20, 10]);
  const other = entry('Other', [30, 60, 35]);
  const markdown = toMarkdown([{ ours, other, goal: 4 }], [], 'Measured today.');
  expect(markdown).toContain(
    '| Ours: getPet | Other: getPet | 3 × ±8 % | 4 × **not met** | 10 | 35 | 2 | 2 | 50 |',
  );
});

test('programs are compared without load in a table of their figures', () => {
  const figures = { startMs: 139.4, idleMemoryMb: 62.34, executableMb: 117.2 };
  const markdown = toMarkdown([], [{ title: 'Ours', ...figures }], '');
  expect(markdown).toContain('| Ours | 139 | 62.3 | 117 |');
});

test('new results replace the old ones and nothing else', () => {
  const page = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8');
  const once = withResults(page, 'first $& figures');
  expect(once).toContain('first $& figures');
  expect(withResults(withResults(page, 'second figures'), 'first $& figures')).toBe(once);
});
