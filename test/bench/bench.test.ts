import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contender } from '../../bench/contenders/contender.ts';
import { OURS, OURS_LARGE, RIVALS } from '../../bench/contenders/contenders.ts';
import { ROOT } from '../../bench/measure/checkout.ts';
import { check } from '../../bench/measure/checks.ts';
import { importFixture, SMALL } from '../../bench/measure/fixture.ts';
import type { Entry } from '../../bench/measure/pair.ts';
import { type PlannedRequest, send } from '../../bench/measure/request.ts';
import { WORKLOADS } from '../../bench/measure/workloads.ts';
import { regressions, rivalsToMarkdown } from '../../bench/report/markdown.ts';
import { withResults } from '../../bench/report/page.ts';
import { serveHere } from '../support/command.ts';
import { newFile } from '../support/temporary-folder.ts';
import { rejection } from '../support/time.ts';

test('a contender must send the same responses as Animal Store, digit for digit', async () => {
  const { url: database, settings } = newFile();
  importFixture(ROOT, database, SMALL);
  await using service = await serveHere(settings);
  const { origin } = new URL(service.started.listening);
  const senderTo = (url: string) => ({
    contender: OURS,
    send: (request: PlannedRequest) => send(url, request),
  });
  const ours = senderTo(origin);
  for (const name of ['getPet', 'listPets20', 'firstSold', 'unauthorized', 'createPet'] as const) {
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

const fastify = RIVALS[3] as Contender;

function entry(contender: Contender, cpuUs: number[]): Entry {
  return { contender, workload: 'getPet', cpuUs, memoryMb: 160 };
}

test('the speed is the median of the ratios within each window, and below its floor it is a regression', () => {
  const ours = entry(OURS, [10, 20, 10]);
  const other = entry(fastify, [30, 60, 35]);
  const lines = rivalsToMarkdown([{ ours, other }], [], 'Measured today.').split('\n');
  expect(lines).toContain('| **Animal Store, requests a second on one core** | 100,000 |');
  expect(lines).toContain(`| as fast as ${fastify.title} | 3 × |`);
  expect(lines).toContain('Measured today. Largest spread: ±8 %.');
  expect(regressions([{ ours, other, floor: 3 }], [])).toEqual([]);
  expect(regressions([{ ours, other, floor: 3.1 }], [])).toEqual([
    `getPet is 3 × ±8 % as fast as getPet, ${fastify.title}; its floor is 3.1 ×`,
  ]);
  const large = { ours: { ...ours, contender: OURS_LARGE, memoryMb: 1_600 }, other: ours };
  expect(regressions([large], [])).toEqual([
    expect.stringMatching(/^Memory .*: 10 times that of the small store; at most /),
  ]);
});

test.each(['performance.md', 'scaling.md'])(
  'new results in %s replace the old ones and nothing else',
  (name) => {
    const page = readFileSync(join(ROOT, 'docs', name), 'utf8');
    const once = withResults(page, 'first $& figures');
    expect(once).toContain('first $& figures');
    expect(withResults(withResults(page, 'second figures'), 'first $& figures')).toBe(once);
  },
);
