import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { SAMPLE_SECONDS } from '../src/operator/console/console-api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { eventually, makeKey, serve } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

/** Takes the screenshots of the console for the README, with made-up customers. */

const DAY_MS = 86_400_000;
const DAYS = 30;
const HOUR_MS = 3_600_000;
const SAMPLE_MS = SAMPLE_SECONDS * 1000;
const SAMPLES = HOUR_MS / SAMPLE_MS;
const STORE = '/var/lib/animal-store/animal-store.db';
const TOKEN = 'a-token-for-the-screenshots';

/** Name, plan, requests a day, and requests in this minute. */
const CUSTOMERS = [
  ['zoo-partners', 'enterprise', 5_200_000, 1_960],
  ['northwind-pets', 'business', 61_000, 412],
  ['tierheim-berlin', 'pro', 7_400, 131],
  ['happy-paws', 'pro', 6_100, 96],
  ['kitten.io', 'free', 940, 60],
  ['petshop-24', 'business', 38_000, 240],
  ['shelter-network', 'free', 610, 22],
  ['tail-and-whisker', 'pro', 3_300, 12],
  ['aquaria', 'free', 420, 49],
  ['old-integrator', 'pro', 1_250, 8],
  ['barn-cats', 'free', 130, 3],
  ['demo-shop', 'free', 24, 0],
] as const;

using folder = temporaryFolder();
const file = join(folder.path, 'animal-store.db');
const settings = { DATABASE_URL: `sqlite:${file}`, OPERATOR_TOKEN: TOKEN, DEMO: 'off' };
const secrets: string[] = [];
for (const [name, plan] of CUSTOMERS) {
  const limits = plan === 'enterprise' ? { perMinute: 12_000, perDay: 9_000_000 } : {};
  secrets.push((await makeKey(settings, name, plan, limits)).secret);
}
addHistory();

await using service = await serve(settings);
await Promise.all(
  CUSTOMERS.flatMap(([, , , requests], index) =>
    Array.from({ length: requests }, () =>
      fetch(`${service.started.api}/pets?limit=1`, {
        headers: { Authorization: `Bearer ${secrets[index]}` },
      }),
    ),
  ),
);

const hour = liveHour();
const browser = await launchBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 800 } });
  await page.route('**/api/live?after=0', (route) => route.fulfill({ json: hour }));
  await page.route(`**/api/live?after=${SAMPLES}`, (route) => route.fulfill({ json: [] }));
  await page.route('**/api/session', changed({ store: STORE, startedAt: daysAgo(12) }));
  await page.goto(`${service.started.operator}/#token=${TOKEN}`);
  await page.waitForSelector('.charts');
  await eventually(async () => (await page.locator('.plot canvas').count()) === 4);
  await page.screenshot({ path: `docs/console-now-${colorScheme}.png` });
  await page.goto(`${service.started.operator}/#/accounts`);
  await page.waitForSelector('.accounts');
  await page.screenshot({ path: `docs/console-accounts-${colorScheme}.png` });
  await page.close();
}
await browser.close();

/** The response of the service, with values of a service that has run for long. */
function changed(values: object) {
  return async (route: Route) => {
    const response = await route.fetch();
    if (route.request().method() !== 'GET' || !response.ok()) return route.fulfill({ response });
    return route.fulfill({ response, json: { ...(await response.json()), ...values } });
  };
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString();
}

/** Thirty days of use, with quiet weekends and some growth. */
function addHistory(): void {
  using database = new Database(file);
  const insert = database.prepare(
    'INSERT INTO usage_periods VALUES (?1, ?2, ?1, ?3, ?4, ?5, 0, 0, ?6, ?7, 0, ?2)',
  );
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  database.run(`UPDATE accounts SET created_at = ${today} - (5 + id * id * 4) * ${DAY_MS}`);
  database.run(`INSERT INTO key_uses SELECT id, id, ${today} FROM accounts`);
  database.run(`UPDATE accounts SET suspended_at = ${today} WHERE name = 'old-integrator'`);
  CUSTOMERS.forEach(([, , perDay], index) => {
    for (let day = 0; day < DAYS; day++) {
      const startsAt = today - day * DAY_MS;
      const isWeekend = [0, 6].includes(new Date(startsAt).getUTCDay());
      const wave = 0.8 + 0.2 * Math.sin(day * 1.7 + index * 2.3);
      const served = Math.round(perDay * wave * (isWeekend ? 0.45 : 1) * (1 - day / 90));
      const counts = [served, served * 0.03, served * 0.02, served * 0.001].map(Math.round);
      insert.run(index + 1, startsAt, 'listPets', ...counts);
    }
  });
}

/** An hour of traffic in place of the live one, which would take an hour to collect. */
function liveHour(): object[] {
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const start = Date.now() - HOUR_MS;
  return Array.from({ length: SAMPLES }, (_, index) => {
    const ms = start + index * SAMPLE_MS;
    const wave = 1 + 0.35 * Math.sin(ms / 700_000) + 0.04 * random();
    const burst = Math.sin(ms / 210_000) > 0.93 ? Math.round(6 + 3 * random()) : 0;
    return {
      number: index + 1,
      at: new Date(ms).toISOString(),
      byClass: {
        '2xx': Math.round(290 * wave),
        '3xx': 0,
        '4xx': Math.round(10 * wave) + 5 * burst,
        '5xx': 0,
      },
      refused: { minute: 5 * burst, day: random() < 0.05 ? 2 : 0, ban: 0 },
      p50: 0.35 + 0.05 * random(),
      p95: 1.1 + 0.1 * random() * wave,
      p99: 2.4 + 0.4 * random() * wave,
      inFlight: 3,
      isReady: true,
      redisAway: false,
    };
  });
}
