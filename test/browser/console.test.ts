import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { eventually, makeKey, run, type Serving, serve } from '../support/command.ts';
import { WAIT_TIMEOUT_MS } from '../support/hang.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ACCOUNTS = 100_000;
const HOUR_MS = 3_600_000;
const TOKEN = 'a-token-for-the-tests-of-the-console';
/** Filtered, because a check of a long list takes long. */
const PLACES = {
  Now: 'now',
  Accounts: 'accounts?search=12345',
  shop: 'accounts/shop',
  Pets: 'pets?status=sold',
  'Deprecation of getPet': 'deprecations',
  Audit: 'audit',
};

const folder = temporaryFolder();
const file = join(folder.path, 'store.db');
const settings: Record<string, string> = { DATABASE_URL: `sqlite:${file}`, OPERATOR_TOKEN: TOKEN };
let service: Serving;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let origin: string;
/** The key of the account "shop". */
let secret: string;
const requested: string[] = [];
/** Script errors and console messages, such as a violated policy. */
const errors: string[] = [];

beforeAll(async () => {
  const launched = launchBrowser();
  secret = (await makeKey(settings, 'shop')).secret;
  addAccounts();
  addCalls();
  service = await serve(settings);
  origin = service.started.operator;
  settings['OPERATOR_PORT'] = new URL(origin).port;
  browser = await launched;
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await context.newPage();
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => errors.push(message.text()));
});
afterAll(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function addAccounts(): void {
  using database = new Database(file);
  const insert = database.prepare(
    "INSERT INTO accounts (name, plan, created_at) VALUES (?, 'free', 1700000000000)",
  );
  database.transaction(() => {
    for (let number = 1; number <= ACCOUNTS; number++) {
      insert.run(`customer-${String(number).padStart(6, '0')}`);
    }
  })();
}

/** Twelve requests of "shop" to getPet two days ago, and one of another key 60 days ago. */
function addCalls(): void {
  using database = new Database(file);
  for (const [key, requests, daysAgo] of [
    [1, 12, 2],
    [99, 1, 60],
  ] as const) {
    const hour = Math.floor(Date.now() / HOUR_MS - 24 * daysAgo) * HOUR_MS;
    database.run(
      `INSERT INTO usage_periods VALUES (1, ${hour}, ${key}, 'getPet', ${requests}, 0, 0, 0, 0, 0, 1, ${hour})`,
    );
  }
}

/** Opens a place of the console by its link, and waits for its data. */
async function go(place: string): Promise<void> {
  // Otherwise only the fragment changes, and the last place is still shown for a moment.
  await page.goto('about:blank');
  await page.goto(`${origin}/#/${place}`);
  await page.waitForSelector('main h1');
  await page.waitForSelector('.waiting', { state: 'detached' });
}

/** Presses the button that opens a dialog. */
async function openDialog(button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await page.waitForSelector('dialog');
}

/** Confirms the open dialog, and waits until it has closed. */
async function confirm(): Promise<void> {
  await page.click('dialog button[type=submit]');
  await page.waitForSelector('dialog', { state: 'detached' });
}

function send(path: string, init: RequestInit = {}, key = secret): Promise<Response> {
  const headers = { ...init.headers, Authorization: `Bearer ${key}` };
  return fetch(`${service.started.api}${path}`, { ...init, headers });
}

function mainText(): Promise<string> {
  return page.innerText('main');
}

async function shows(text: string): Promise<void> {
  await page.getByText(text).first().waitFor();
}

/** The messages since the last call, without the lines that Chromium writes for a failed request. */
function newErrors(): string[] {
  return errors.splice(0).filter((text) => !text.startsWith('Failed to load resource'));
}

describe('signing in', () => {
  test('a wrong token is refused, and says so', async () => {
    await page.goto(origin);
    await page.fill('[name=token]', 'wrong');
    await page.click('button[type=submit]');
    await shows('The token is wrong.');
  });

  test('the token signs in with the keyboard alone', async () => {
    await page.focus('[name=token]');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(TOKEN);
    await page.keyboard.press('Enter');
    await page.waitForSelector('text=Sign out');
    expect(await page.innerText('h1')).toBe('Now');
  });

  test('signing out ends the session', async () => {
    await page.click('text=Sign out');
    await shows('You are signed out.');
    await page.reload();
    await page.waitForSelector('[name=token]');
  });

  test('a link with the token signs in, and the token leaves the address and no script can read it', async () => {
    await page.goto(`${origin}/#token=${TOKEN}`);
    await page.waitForSelector('text=Sign out');
    expect(page.url()).toBe(`${origin}/#/now`);
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}');
  });

  test('signing out and in in one tab does so in the others', async () => {
    const other = await context.newPage();
    await other.goto(`${origin}/#/audit`);
    await other.click('text=Sign out');
    await shows('Your session has ended.');
    await other.fill('[name=token]', TOKEN);
    await other.click('button[type=submit]');
    await page.waitForSelector('text=Sign out');
    await other.close();
  });

  test('without a session every place asks for the token, and opens after it', async () => {
    await context.clearCookies();
    await page.goto(`${origin}/#/audit?since=7d`);
    await page.reload();
    await page.fill('[name=token]', TOKEN);
    await page.click('button[type=submit]');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    expect(page.url()).toEndWith('#/audit?since=7d');
  });
});

describe('Now', () => {
  test('counts requests of this second, and shows the health of the store', async () => {
    await go('now');
    await Promise.all(Array.from({ length: 20 }, () => send('/pets')));
    await eventually(async () => /Requests\s+[1-9]/.test(await page.innerText('.tiles')));
    const tiles = await page.innerText('.tiles');
    expect(tiles).toMatch(/Store\s+Ready/);
    expect(tiles).toMatch(/Limiter\s+Working/);
    expect(await page.locator('.plot canvas').count()).toBe(4);
  });

  test('says that the connection is lost, and recovers without a new sign-in', async () => {
    await service[Symbol.asyncDispose]();
    await shows('Connection lost.');
    expect(await page.innerText('.tiles')).not.toMatch(/Ready|Working/);
    service = await serve(settings);
    await page.getByText('Connection lost.').waitFor({ state: 'detached' });
    expect(await page.innerText('.connection')).toBe('Live');
    // Chromium writes a message for each failed attempt.
    newErrors();
  });
});

describe('Accounts', () => {
  test(`finds one among ${ACCOUNTS} by name, keeps the search in the address, and shows pages`, async () => {
    await go('accounts');
    await shows('1–50 of 100,001');
    await page.getByRole('button', { name: 'Next' }).click();
    await shows('51–100 of 100,001');
    await page.fill('input[type=search]', '077777');
    await shows('1–1 of 1');
    expect(page.url()).toContain('search=077777');
    await page.reload();
    await page.getByRole('link', { name: 'customer-077777' }).click();
    await page.getByRole('heading', { name: 'customer-077777' }).waitFor();
    await go('accounts?search=nobody-has-this-name');
    await shows('No account has this name');
  });

  test('says that it is loading, and an error with a button that tries again', async () => {
    const waiting = Promise.withResolvers<void>();
    const unavailable = { status: 503, json: { error: 'The store does not respond.' } };
    await page.route(
      '**/api/accounts?*',
      async (route) => {
        await waiting.promise;
        await route.fulfill(unavailable);
      },
      { times: 1 },
    );
    await page.goto(`${origin}/#/now`);
    await page.goto(`${origin}/#/accounts`);
    await page.waitForSelector('.waiting:has-text("Loading")');
    waiting.resolve();
    await shows('The store does not respond.');
    await page.getByRole('button', { name: 'Try again' }).click();
    await shows('1–50 of 100,001');
  });

  test('an error replaces the result of another search', async () => {
    const unavailable = { status: 503, json: { error: 'The store does not respond.' } };
    await page.route('**/api/accounts?*', (route) => route.fulfill(unavailable), { times: 1 });
    await page.fill('input[type=search]', '077777');
    await shows('The store does not respond.');
    expect(await page.locator('.accounts').count()).toBe(0);
  });

  test('creates an account, and shows the error of the service in the dialog', async () => {
    await go('accounts');
    await openDialog('New account');
    await page.fill('dialog input', 'shop');
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('dialog [role=alert]');
    expect(await page.innerText('dialog [role=alert]')).toContain('already exists');
    await page.fill('dialog input', 'New Shop');
    await confirm();
    await page.getByRole('heading', { name: 'New Shop' }).waitFor();
    expect(page.url()).toEndWith('#/accounts/New%20Shop');
  });

  test('changes a plan after a preview', async () => {
    await openDialog('Change plan');
    await page.selectOption('dialog select', 'enterprise');
    await page.getByLabel('Requests per minute').fill('5');
    await page.getByLabel('Requests per day').fill('70');
    await shows('No requests since');
    await confirm();
    await shows('5 a minute, 70 a day');
  });

  test('creates a key whose command works, and copies it', async () => {
    await openDialog('New key');
    await page.fill('dialog input', 'counter 1');
    await page.selectOption('dialog select', '90d');
    await page.click('dialog button[type=submit]');
    await shows('Copy it now.');
    await page.keyboard.press('Escape');
    const [shown = '', command = ''] = await page.locator('dialog code').allInnerTexts();
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await eventually(async () => (await page.evaluate('navigator.clipboard.readText()')) === shown);
    const { stdout } = Bun.spawnSync(['sh', '-c', `${command} --silent`]);
    expect(stdout.toString()).toStartWith('HTTP/1.1 200 OK');
    await page.click('text=I have copied it');
    expect(await page.innerText(':focus')).toBe('New key');
    await shows('counter 1');
    await shows('in 89 days');
    expect(await mainText()).not.toContain(shown);
  });

  test('rotates and revokes a key', async () => {
    await openDialog('Rotate key 2');
    await page.selectOption('dialog select', '1h');
    await page.click('dialog button[type=submit]');
    await page.click('text=I have copied it');
    await shows('Key 2, replaced by key 3');
    await openDialog('Revoke key 3');
    await confirm();
    await page.getByRole('row', { name: 'Revoked' }).waitFor();
  });

  test('suspends and resumes an account', async () => {
    await openDialog('Suspend');
    await page.fill('dialog input', 'unpaid');
    await confirm();
    await shows(': unpaid');
    await openDialog('Resume');
    await confirm();
    await page.locator('.badges >> text=Active').waitFor();
  });

  test('lifts a ban, which it shows with the time left', async () => {
    await go('accounts/New%20Shop');
    await openDialog('New key');
    await page.click('dialog button[type=submit]');
    const banned = await page.locator('dialog code').first().innerText();
    await page.click('text=I have copied it');
    await eventually(async () => {
      const sent = Array.from({ length: 100 }, () => send('/pets', {}, banned));
      const bodies = (await Promise.all(sent)).map((response) => response.text());
      return (await Promise.all(bodies)).some((body) => body.includes('api_key_banned'));
    });
    await page.reload();
    await shows('left');
    expect(await mainText()).toMatch(/Banned\s+[0-5]:\d\d left/);
    await page.getByRole('button', { name: 'Lift ban' }).click();
    await confirm();
    await page.getByText('left', { exact: false }).waitFor({ state: 'detached' });
  });
});

describe('Pets', () => {
  test('adds one with an int64 exactly, finds it by id, and corrects its status', async () => {
    await go('pets');
    await shows('No pets yet');
    await openDialog('Add a pet');
    await page.getByLabel('Name').fill('Rex');
    await page.getByLabel('Category id').fill('9223372036854775807');
    await confirm();
    await shows('9223372036854775807');
    const id = await page.locator('.pets tbody td').first().innerText();
    await page.fill('input[type=search]', id);
    await page.waitForURL(`**/#/pets?id=${id}`);
    await openDialog(`Correct status of pet ${id}`);
    await page.selectOption('dialog select', 'sold');
    await confirm();
    await page.getByRole('row', { name: 'Sold' }).waitFor();
    await page.getByRole('link', { name: 'Pending' }).click();
    await shows('No pet is pending');
    await page.fill('input[type=search]', '404');
    await shows('Not found');
  });

  test('browses pages', async () => {
    const body = JSON.stringify({ name: 'Tom', categoryId: 1 });
    const headers = { 'Content-Type': 'application/json' };
    await Promise.all(
      Array.from({ length: 60 }, () => send('/pets', { method: 'POST', body, headers })),
    );
    await go('pets?status=available');
    expect(await page.locator('.pets tbody tr').count()).toBe(50);
    await page.getByRole('button', { name: 'Next' }).click();
    await eventually(async () => (await page.locator('.pets tbody tr').count()) === 10);
    await page.getByRole('button', { name: 'Previous' }).click();
    await eventually(async () => (await page.locator('.pets tbody tr').count()) === 50);
  });
});

describe('Deprecations', () => {
  test('shows who still calls getPet', async () => {
    await go('deprecations');
    const [caller = ''] = await page.locator('.callers tbody tr').allInnerTexts();
    expect(caller).toMatch(/^shop\s+Key\s1\s+0\s+12\s+12\s+2 days ago/);
  });

  test('counts only those who called it in the last month, and lists all', async () => {
    expect(await page.locator('.callers tbody tr').count()).toBe(2);
    expect(await page.innerText('.tiles')).toMatch(/still call it\s+1\s+1 key in the last month/);
  });

  test('says how to plan a brownout', async () => {
    const text = await mainText();
    expect(text).toContain('No brownouts');
    expect(text).toMatch(/set BROWNOUTS, .* and restart every instance/);
  });

  test('shows brownouts, and counts down by the clock of the service', async () => {
    const start = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '');
    await service[Symbol.asyncDispose]();
    service = await serve({ ...settings, BROWNOUTS: `2030-11-30T12:00Z/1h,${start}/30m` });
    const other = await context.newPage();
    await other.clock.install({ time: Date.now() + 24 * HOUR_MS });
    await other.goto(`${origin}/#/deprecations`);
    await other.waitForSelector('text=/2\\d:\\d\\d left/');
    const rows = await other.locator('.brownouts tbody tr').allInnerTexts();
    expect(rows[0]).toContain('In progress');
    expect(rows[1]).toMatch(/30 Nov 2030, 12:00 UTC\s+30 Nov 2030, 13:00 UTC\s+Planned/);
    await other.close();
    // Chromium writes a message for each failed attempt.
    newErrors();
  });
});

test('Audit shows the changes above, readably and filtered', async () => {
  await go('audit');
  const all = await mainText();
  expect(all).toMatch(/plan free → enterprise/);
  expect(all).toMatch(/status available → sold/);
  expect(all).not.toContain('ask_');
  await page.fill('input[type=search]', 'New Shop');
  await page.waitForURL('**account=New+Shop**');
  await eventually(async () => !/sold/.test(await mainText()));
  await page.getByRole('link', { name: '24 hours' }).click();
  await page.waitForURL('**since=24h**');
  expect(await mainText()).toMatch(/plan free → enterprise/);
});

describe('a name that turns the direction of text', () => {
  const TURNED = 'Rex\u202exeR';
  /** How the elements are set whose whole text is the name. Fails if it is next to other text. */
  const around = () =>
    page.evaluate(`(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        const { data, parentElement } = texts.currentNode;
        if (data === '${TURNED}') found.push(getComputedStyle(parentElement).unicodeBidi);
        else if (data.includes('${TURNED}')) found.push(data);
      }
      return found;
    })()`);

  test('of a pet turns nothing around it', async () => {
    const body = JSON.stringify({ name: TURNED, categoryId: 1, status: 'pending' });
    await send('/pets', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
    await go('pets?status=pending');
    await page.getByRole('button', { name: 'Correct status' }).first().click();
    await page.waitForSelector('dialog');
    expect(await around()).toEqual(['isolate', 'isolate']);
  });

  test('of a key turns nothing around it in the audit', async () => {
    const { id } = await makeKey(settings, 'turned');
    await run(settings, 'keys', 'update', String(id), '--label', TURNED);
    await run(settings, 'keys', 'update', String(id), '--label', 'phone');
    await go('audit?account=turned');
    expect(await around()).toEqual(['isolate', 'isolate']);
    const gap = await page.evaluate(`(() => {
      const old = document.querySelector('.changes del').getBoundingClientRect();
      const changed = document.querySelector('.changes ins').getBoundingClientRect();
      return changed.left - old.right;
    })()`);
    expect(gap).toBeGreaterThan(0);
  });
});

describe('every page', () => {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    test(`has no accessibility violations in ${colorScheme} colors, and fits ${width} pixels`, async () => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 844 });
      await go('now');
      await page.evaluate(axe.source);
      for (const [title, place] of Object.entries(PLACES)) {
        await page.goto(`${origin}/#/${place}`);
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        await page.waitForSelector('.waiting', { state: 'detached' });
        expect({ place, violations: await violations() }).toEqual({ place, violations: [] });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      await page.goto(`${origin}/#/accounts/shop`);
      await openDialog('Change plan');
      expect(await violations()).toEqual([]);
      await page.keyboard.press('Escape');
    });
  }

  test('loads nothing from elsewhere, and breaks no policy', () => {
    expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    expect(newErrors()).toEqual([]);
  });
});

/** Needs the source of axe in the page. */
async function violations(): Promise<string[]> {
  return page.evaluate(
    '(async () => (await axe.run({ resultTypes: ["violations"] })).violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html)))()',
  );
}

test('many wrong tokens make the next attempt wait', async () => {
  await page.click('text=Sign out');
  await eventually(async () => {
    await page.fill('[name=token]', 'wrong');
    await page.click('button[type=submit]');
    await page.waitForSelector('.form-error:not([hidden])');
    return /Try again in \d+ seconds/.test(await page.innerText('.form-error'));
  });
});
