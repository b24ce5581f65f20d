import { parseArgs } from 'node:util';
import type { Contender } from './contenders/contender.ts';
import { animalStore, OURS, OURS_SHARED } from './contenders/contenders.ts';
import { ARRIVALS, type Arrival, deliver, SHARED_ARRIVALS } from './measure/arrivals.ts';
import {
  BACKGROUND,
  type Background,
  fillStore,
  longestWaits,
  type Target,
  waitsOf,
} from './measure/background.ts';
import {
  CHEAP_REQUEST,
  COSTLY_REQUESTS,
  type CostlyRequest,
  costOf,
} from './measure/costly-requests.ts';
import { type Lab, runInLab } from './measure/lab.ts';
import { namesIn } from './measure/names.ts';
import { create, type PlannedRequest } from './measure/request.ts';
import { median } from './measure/statistics.ts';
import { machine, writeResults } from './report/page.ts';
import { type Cost, overBound, type Wait, worstToMarkdown } from './report/worst.ts';

/** Measures the most costly requests, and how long requests wait for work in the background. */

const PARTS = ['requests', 'sqlite', 'postgresql'];
const AMOUNTS = { pets: 10_000_000, accounts: 100_000, periods: 1_000_000 };
const QUICK_AMOUNTS = { pets: 1_000_000, accounts: 10_000, periods: 100_000 };
const ROUNDS = 9;
const [CHEAP_PER_ROUND, COSTLY_PER_ROUND] = [4_000, 200];
const CONNECTIONS = 64;
const [SHORTEST_MS, LONGEST_MS] = [5_000, 30_000];
const MOST_TIMES = 3;

await runInLab(async (lab) => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      parts: { type: 'string', default: PARTS.join() },
      'write-docs': { type: 'boolean', default: false },
    },
  });
  const parts = namesIn(values.parts, PARTS);
  const amounts = values.quick ? QUICK_AMOUNTS : AMOUNTS;
  const costs = parts.includes('requests') ? await measureCosts(lab) : [];
  const waits: Wait[] = [];
  if (parts.includes('sqlite')) waits.push(...(await measureWaits(lab, amounts, false)));
  if (parts.includes('postgresql')) waits.push(...(await measureWaits(lab, amounts, true)));
  const markdown = worstToMarkdown(costs, waits, machine());
  console.log(markdown);
  if (values['write-docs']) writeResults('performance.md', markdown, 'worst');
  const above = overBound(costs, waits);
  if (above.length > 0) throw new Error(`Above the bound:\n${above.join('\n')}`);
});

/** The cost of odd requests. Only few of them cost more on PostgreSQL and Redis, so all others are sent to SQLite. */
async function measureCosts(lab: Lab): Promise<Cost[]> {
  return [
    ...(await costsOn(lab, OURS, COSTLY_REQUESTS, ARRIVALS)),
    ...(await costsOn(lab, OURS_SHARED, [], SHARED_ARRIVALS)),
  ];
}

async function costsOn(
  lab: Lab,
  contender: Contender,
  requests: readonly CostlyRequest[],
  arrivals: readonly Arrival[],
): Promise<Cost[]> {
  await using server = await lab.start(contender);
  const senderOf = (request: PlannedRequest) => async () =>
    (await server.send(request)).arrayBuffer();
  const sendCheap = senderOf(CHEAP_REQUEST);
  const costs: Cost[] = [];
  const timesOf = async (cost: () => Promise<number>) => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const cheap = await costOf(server, sendCheap, CHEAP_PER_ROUND, CONNECTIONS);
      times.push((await cost()) / cheap);
    }
    return median(times);
  };
  const add = (cost: Cost) => {
    costs.push(cost);
    console.error(`${cost.title}: ${cost.times.toFixed(1)} ${cost.othersMs?.toFixed(1) ?? ''}`);
  };
  // The runtime compiles code only after a while, so a service that has just started is several times as slow.
  for (const request of [CHEAP_REQUEST, create(1)]) {
    await costOf(server, senderOf(request), ROUNDS * CHEAP_PER_ROUND, CONNECTIONS);
  }
  for (const { title, most, request } of requests) {
    const cost = () => costOf(server, senderOf(request), COSTLY_PER_ROUND, CONNECTIONS);
    add({ title, most, times: await timesOf(cost) });
  }
  for (const arrival of arrivals) {
    const { title, most } = arrival;
    // A body waits between its packets. To keep the service as busy as with getPets, many bodies arrive at
    // the same time. Bodies in one packet arrive one after the other.
    const connections = arrival.packets.length > 2 ? CONNECTIONS : 1;
    const send = () => deliver(server, arrival);
    const cost = () => costOf(server, send, COSTLY_PER_ROUND, connections);
    const times = await timesOf(cost);
    const waits = await waitsOf(server, () => CHEAP_REQUEST, cost());
    add({ title, most, times, othersMs: median(waits) });
  }
  return costs;
}

async function measureWaits(lab: Lab, amounts: typeof AMOUNTS, isShared: boolean): Promise<Wait[]> {
  const store = isShared ? 'PostgreSQL' : 'SQLite';
  console.error(`Filling a store on ${store}`);
  const fixture = { pets: 1, busyAccounts: amounts.accounts, spentAccounts: 0 };
  const contender = animalStore('large', 'Animal Store', { fixture, isShared });
  const environment = await lab.newStore(contender);
  await fillStore(environment['DATABASE_URL'] ?? '', amounts);
  await using server = await lab.start(contender, '', environment);
  const newTarget = (): Target => ({
    server,
    environment,
    pets: amounts.pets,
    folder: lab.newFolder('work'),
  });
  const target = newTarget();
  await longestWaits(target, Bun.sleep(SHORTEST_MS));
  const waits: Wait[] = [];
  for (const work of BACKGROUND.filter(({ isFor }) => isFor(target))) {
    // A pause of the machine makes a wait longer, and never shorter. So work that seems to delay requests is
    // measured again, and only counts if it delays them every time.
    let wait = await measureWait(target, work, store);
    const mostTimes = work.isOnlyOnce === true ? 1 : MOST_TIMES;
    for (let times = 1; times < mostTimes && overBound([], [...waits, wait]).length > 0; times++) {
      wait = await measureWait(newTarget(), work, store);
    }
    waits.push(wait);
  }
  return waits;
}

async function measureWait(target: Target, work: Background, store: string): Promise<Wait> {
  const { title, most, prepare, run } = work;
  await prepare?.(target);
  const startedAtMs = performance.now();
  const during = await longestWaits(target, run(target));
  const tookMs = performance.now() - startedAtMs;
  const idleMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, tookMs));
  const without = await longestWaits(target, Bun.sleep(idleMs));
  console.error(`${title}: ${JSON.stringify({ during, without })}`);
  return { title, store, most, seconds: tookMs / 1_000, during, without };
}
