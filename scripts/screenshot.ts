import { Database } from 'bun:sqlite';
import type { Page, Route } from 'playwright-core';
import { SAMPLE_SECONDS } from '#operator/console-api/shapes.ts';
import { seededRandom } from '#staging/seeded-random.ts';
import { launchBrowser } from '../test/browser/browser.ts';
import { makeKey, serve } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { newFile } from '../test/support/temporary-folder.ts';
import { eventually } from '../test/support/time.ts';

/** Takes the screenshots of the console and the reference for the documents, with invented customers. */

const DAY_MS = 86_400_000;
const DAYS = 30;
const HOUR_MS = 3_600_000;
const SAMPLE_MS = SAMPLE_SECONDS * 1000;
const SAMPLES = HOUR_MS / SAMPLE_MS;
const STORE = '/var/lib/animal-store/animal-store.db';
const TOKEN = 'a-token-for-the-screenshots';
/** The address that the screenshots show, which is the one in the README. The service itself may use any port. */
const SHOWN = 'http://127.0.0.1:8080';
const CATEGORY = '9223372036854775807';

/** The accounts: name, plan, requests a day, and requests in this minute. */
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

const { path: file, settings: store } = newFile();
const settings = { ...store, OPERATOR_TOKEN: TOKEN, PUBLIC_URL: SHOWN, DEMO: 'off' };
const secrets: string[] = [];
for (const [name, plan] of CUSTOMERS) {
  const limits = plan === 'enterprise' ? { perMinute: 12_000, perDay: 9_000_000 } : {};
  secrets.push((await makeKey(settings, name, plan, limits)).secret);
}
addHistory();

await using service = await serve(settings);
const { listening, operator } = service.started;
await Promise.all(
  CUSTOMERS.flatMap(([, , , requests], index) => {
    const { get } = apiCaller(`${listening}/v1`, secrets[index]);
    return Array.from({ length: requests }, () => get('/pets?limit=1'));
  }),
);

const hour = liveHour();
const browser = await launchBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 800 } });
  await showConsole(page, colorScheme);
  await page.setViewportSize({ width: 1280, height: 860 });
  await showReference(page, colorScheme);
  await page.close();
}
await browser.close();

async function showConsole(page: Page, scheme: string): Promise<void> {
  await page.route('**/api/live', (route) => route.fulfill({ json: hour }));
  await page.route('**/api/live?after=*', (route) => route.fulfill({ json: [] }));
  await page.route('**/api/session', changed({ store: STORE, startedAt: daysAgo(12) }));
  await page.goto(`${operator}/#token=${TOKEN}`);
  await page.waitForSelector('.charts');
  await eventually(async () => (await page.locator('.plot canvas').count()) === 4);
  await page.screenshot({ path: `docs/console-now-${scheme}.png` });
  await page.goto(`${operator}/#/accounts`);
  await page.waitForSelector('.accounts tr');
  await page.screenshot({ path: `docs/console-accounts-${scheme}.png` });
}

/** Takes the screenshot of the reference after adding a pet on the page. */
async function showReference(page: Page, scheme: string): Promise<void> {
  await page.route(`${SHOWN}/**`, async (route) => {
    const url = route.request().url().replace(SHOWN, listening);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`${SHOWN}/docs#createPet`);
  await page.fill('.send input', secrets.at(-1) ?? '');
  await page.fill('#createPet-categoryId', CATEGORY);
  await page.click('#createPet [type=submit]');
  await page.waitForSelector('#createPet .response[aria-busy=false] details');
  // Removes the focus from the field, and scrolls back to the section.
  await page.evaluate("document.activeElement.blur(); location.hash = ''");
  await page.evaluate("location.hash = 'createPet'");
  await page.waitForSelector('#navigation [aria-current][href$="#createPet"]');
  // Without this, Chromium would take the picture while the page scrolls.
  await page.waitForTimeout(500);
  await page.screenshot({ path: `docs/reference-${scheme}.png` });
}

/** Changes the response of the service to the values of a service that has run for a long time. */
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
  database.run(
    `INSERT INTO key_uses (account_id, key_id, last_at) SELECT id, id, ${today} FROM accounts`,
  );
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

/** An invented hour of traffic, because real traffic would take an hour to collect. */
function liveHour(): object[] {
  const random = seededRandom(7);
  const start = Date.now() - HOUR_MS;
  return Array.from({ length: SAMPLES }, (_, index) => {
    const ms = start + index * SAMPLE_MS;
    const wave = 1 + 0.35 * Math.sin(ms / 700_000) + 0.04 * random();
    const burst = Math.sin(ms / 210_000) > 0.93 ? Math.round(6 + 3 * random()) : 0;
    return {
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
