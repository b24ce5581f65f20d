import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import axe, { type Result, type RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { ERRORS } from '../../src/contract/errors.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { launchBrowser, newPage } from '../support/browser.ts';
import { eventually, makeKey, type Serving, serve } from '../support/command.ts';
import { WAIT_TIMEOUT_MS } from '../support/hang.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGES = ['/docs', '/docs/errors', '/docs/limits', '/docs/changes'];
const LARGEST = '9223372036854775807';

const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
let service: Serving;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let origin: string;
let key: string;
const requested: string[] = [];
/** Script errors and console messages, such as a violated policy. */
const errors: string[] = [];

beforeAll(async () => {
  const launched = launchBrowser();
  key = (await makeKey(settings, 'reader', 'pro')).secret;
  service = await serve(settings);
  origin = service.started.listening;
  browser = await launched;
  context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await openTab();
});
afterAll(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function openTab(): Promise<Page> {
  const tab = await context.newPage();
  tab.setDefaultTimeout(WAIT_TIMEOUT_MS);
  tab.on('request', (request) => requested.push(request.url()));
  tab.on('pageerror', (error) => errors.push(error.message));
  tab.on('console', (message) => errors.push(message.text()));
  return tab;
}

/** Opens a page afresh, also where only the fragment differs. */
async function go(path: string): Promise<void> {
  await page.goto('about:blank');
  const response = await page.goto(origin + path);
  expect(response?.status()).toBe(200);
}

/** Sends the request of an operation, and returns the response as the panel shows it. */
async function send(operation: string, tab = page): Promise<string> {
  await tab.click(`#${operation} [type=submit]`);
  await tab.waitForSelector(`#${operation} .response[aria-busy=false]`);
  return tab.innerText(`#${operation} .response`);
}

/** The requests to the API. */
function calls(): string[] {
  return requested.filter((url) => url.startsWith(service.started.api));
}

function sample(operation: string): Promise<string> {
  return page.innerText(`#${operation} [role=tabpanel]`);
}

function announced(operation: string): Promise<string> {
  return page.innerText(`#${operation} .panel > [role=status]`);
}

/** Without the lines that Chromium writes for a failed request. */
function newErrors(): string[] {
  return errors.splice(0).filter((text) => !text.startsWith('Failed to load resource'));
}

describe('the code panel', () => {
  beforeAll(async () => {
    await go('/docs');
    await page.fill('#api-key', key);
  });

  test('sends requests with the key, and keeps every digit of an int64', async () => {
    await page.fill('#createPet-body', `{"name":"Rex","categoryId":${LARGEST}}`);
    const created = await send('createPet');
    expect(created).toContain('201 Created');
    expect(created).toContain(`"categoryId": ${LARGEST},`);
    const id = /"id": (\d+)/.exec(created)?.[1] as string;

    await page.fill('#getPet-petId', id);
    expect(await send('getPet')).toContain(`"categoryId": ${LARGEST},`);

    await page.selectOption('#listPets-status', 'sold');
    await page.fill('#listPets-after', '9007199254740993');
    expect(await send('listPets')).toMatch(/200 OK\s+\d+ ms\s+\[\]/);
    expect(calls().at(-1)).toEndWith('/v1/pets?status=sold&after=9007199254740993');
  });

  test('shows the request before it is sent, and follows what the reader types', async () => {
    await go('/docs');
    const count = calls().length;
    expect(await sample('listPets')).toContain(`${service.started.api}/pets'`);
    await page.fill('#listPets-limit', '7');
    expect(await sample('listPets')).toContain('/pets?limit=7');
    await page.fill('#createPet-Idempotency-Key', 'abc');
    await page.fill('#createPet-body', '{"name":"Tom"}');
    expect(await sample('createPet')).toContain('Idempotency-Key: abc');
    expect(await sample('createPet')).toContain('{"name":"Tom"}');
    expect(calls()).toHaveLength(count);
  });

  test('shows an example response until the first real one', async () => {
    expect(await page.innerText('#getPet .response')).toMatch(/200\s+Example response/);
    await page.fill('#getPet-petId', '1');
    expect(await send('getPet')).not.toContain('Example');
  });

  test('shows a shell command that sends the same request, without the key in it', async () => {
    await page.fill('#createPet-body', `{"name":"O'Malley","categoryId":7}`);
    await page.fill('#createPet-Idempotency-Key', '');
    const command = await sample('createPet');
    expect(command).not.toContain(key);
    const { stdout } = Bun.spawnSync(['sh', '-c', command], {
      env: { PATH: Bun.env['PATH'] ?? '', ANIMAL_STORE_API_KEY: key },
      stderr: 'ignore',
    });
    expect(stdout.toString()).toContain('201 Created');
    expect(stdout.toString()).toContain(`"name":"O'Malley"`);
  });

  test('copies the sample, and says so', async () => {
    await page.click('#createPet .copy');
    await page.waitForSelector('#createPet .copy:text("Copied")');
    expect(await page.innerText('#createPet .tabs [role=status]')).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await sample('createPet'));
    await page.waitForSelector('#createPet .copy:text-is("Copy")');
    await page.click('#get-a-key .copy');
    await page.waitForSelector('#get-a-key .copy:text("Copied")');
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('keys create');
  });

  test('has a tab for each language. The choice holds for all panels, pages and tabs', async () => {
    await page.click('#createPet [role=tab]:text("Go")');
    expect(await sample('createPet')).toContain('package main');
    expect(await sample('listPets')).toContain('package main');
    await page.keyboard.press('ArrowRight');
    expect(await page.innerText('#createPet [aria-selected=true]')).toBe('curl');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Python');
    expect(await sample('getPet')).toContain('import ');
    await page.reload();
    expect(await page.innerText('#getPet [aria-selected=true]')).toBe('Python');
    await page.click('#getPet [role=tab]:text("curl")');
  });

  test('is sent with Ctrl+Enter from a field, and announces the result', async () => {
    await page.focus('#listPets-limit');
    await page.keyboard.press('Control+Enter');
    await eventually(async () => /^200 OK, \d+ ms$/.test(await announced('listPets')));
    expect(await page.evaluate('document.activeElement.id')).toBe('listPets-limit');
    await page.focus('#createPet-body');
    await page.keyboard.press('Control+Enter');
    await eventually(async () => (await announced('createPet')).startsWith('201 Created'));
  });

  test('does not send a form that lacks a required value', async () => {
    const count = calls().length;
    await page.fill('#getPet-petId', '');
    await page.click('#getPet [type=submit]');
    expect(await page.evaluate('document.activeElement.id')).toBe('getPet-petId');
    expect(calls()).toHaveLength(count);
  });

  test('links the code of an error to its explanation', async () => {
    await page.fill('#getPet-petId', '999999');
    const response = await send('getPet');
    expect(response).toContain('404 Not Found');
    expect(response).toContain('"code": "pet_not_found"');
    await page.click('#getPet .error-code a');
    expect(page.url()).toBe(`${origin}/docs/errors#pet_not_found`);
    expect(await page.innerText('section:target')).toContain(ERRORS.pet_not_found.meaning);
  });

  test('folds the headers away', async () => {
    await go('/docs');
    expect(await send('listPets')).not.toContain('x-request-id');
    await page.click('#listPets .response summary');
    expect(await page.innerText('#listPets .response details')).toMatch(/x-request-id: \S+/);
  });

  test('colors the classes of statuses differently', async () => {
    await page.fill('#getPet-petId', '999999');
    await send('getPet');
    const color = (operation: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('#${operation} .response .status')).color`,
      );
    expect(await color('getPet')).not.toBe(await color('listPets'));
  });

  test('keeps a name that turns the direction of text from turning the code after it', async () => {
    await page.fill('#createPet-body', '{"name":"Rex\\u202exeR","categoryId":7}');
    await send('createPet');
    const comma = await page.evaluate(`(() => {
      const name = [...document.querySelectorAll('#createPet .response .code-string')][0];
      const after = document.createRange();
      after.setStart(name.nextSibling, 0);
      after.setEnd(name.nextSibling, 1);
      return after.getBoundingClientRect().left - name.getBoundingClientRect().right;
    })()`);
    expect(comma).toBeGreaterThan(-1);
  });

  describe('with a proxy in front', () => {
    const pets = '**/v1/pets';
    beforeEach(async () => {
      await page.unroute(pets);
    });
    afterAll(() => page.unroute(pets));

    test('shows a response that is not JSON unchanged', async () => {
      const body = '<p>502: see https://x, ]}';
      await page.route(pets, (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body }),
      );
      expect(await send('listPets')).toContain(body);
      expect(await page.locator('#listPets .error-code').count()).toBe(0);
    });

    test('says when a response has no body', async () => {
      await page.route(pets, (route) => route.fulfill({ status: 204 }));
      expect(await send('listPets')).toMatch(/204 No Content\s+\d+ ms\s+No body/);
    });

    test('cancels a slow request on Escape, or when the reader sends again', async () => {
      const waiting: (() => void)[] = [];
      await page.route(pets, (route) => {
        waiting.push(() => route.fulfill({ status: 200, body: 'late' }));
      });
      const isSending = () => page.waitForSelector('#listPets .response[aria-busy=true] button');
      await page.click('#listPets [type=submit]');
      await isSending();
      expect(await announced('listPets')).toBe('Sending…');
      await page.keyboard.press('Escape');
      await page.waitForSelector('#listPets .badge:text("Cancelled")');

      await page.click('#listPets [type=submit]');
      await isSending();
      await page.click('#listPets [type=submit]');
      await eventually(() => waiting.length === 3);
      await isSending();
      waiting.at(-1)?.();
      await page.waitForSelector('#listPets .response[aria-busy=false]');
      expect(await page.innerText('#listPets .response')).toContain('late');
    });

    test('says so when the service cannot be reached', async () => {
      await context.setOffline(true);
      expect(await send('listPets')).toContain('cannot be reached');
      await context.setOffline(false);
    });
  });
});

describe('the key', () => {
  test('is kept for the tab, on all pages, and is in no other tab', async () => {
    await go('/docs');
    await page.fill('#api-key', key);
    await go('/docs/errors');
    expect(await page.inputValue('#api-key')).toBe(key);
    expect(await page.innerText('.key-field')).toContain('Kept for this tab only');
    const other = await openTab();
    await other.goto(`${origin}/docs`);
    expect(await other.inputValue('#api-key')).toBe('');
    const kept = 'JSON.stringify(localStorage) + document.cookie + location + document.title';
    expect(await page.evaluate(kept)).not.toContain(key);
    await other.close();
  });

  test('is hidden until the reader shows it, and can be cleared', async () => {
    expect(await page.getAttribute('#api-key', 'type')).toBe('password');
    await page.click('text=Show');
    expect(await page.getAttribute('#api-key', 'type')).toBe('text');
    await page.click('.key-field >> text=Clear');
    expect(await page.inputValue('#api-key')).toBe('');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await page.evaluate('document.activeElement.id')).toBe('api-key');
  });

  test('may be missing: the panel then says so, and shows the error', async () => {
    await go('/docs');
    await page.fill('#api-key', '');
    expect(await send('listPets')).toContain('"code": "missing_api_key"');
    expect(await page.innerText('.quota')).toStartWith('No valid key: ');
    await page.click('#listPets .send >> text=Enter your API key');
    expect(await page.evaluate('document.activeElement.id')).toBe('api-key');
  });

  test.each([
    ['white space', (text: string) => ` ${text.slice(0, 9)}\n${text.slice(9)}\n`],
    ['the scheme', (text: string) => `Bearer ${text}`],
  ])('may be pasted with %s', async (_, paste) => {
    await page.fill('#api-key', '');
    await page.focus('#api-key');
    await page.evaluate(`document.execCommand('insertText', false, ${JSON.stringify(paste(key))})`);
    expect(await page.inputValue('#api-key')).toBe(key);
  });

  test('is not sent with invalid characters, and the page says so', async () => {
    await page.fill('#api-key', 'ask_…');
    const count = calls().length;
    expect(await send('listPets')).toContain('Check your API key');
    expect(await announced('listPets')).toBe('Not sent');
    expect(calls()).toHaveLength(count);
  });

  test('has a meter of its plan, which follows every response', async () => {
    await page.fill('#api-key', key);
    expect(await page.locator('.quota').count()).toBe(0);
    await send('listPets');
    expect(await page.getAttribute('meter', 'aria-label')).toBe('Requests left this minute');
    const left = Number(await page.getAttribute('meter', 'value'));
    const shown = new RegExp(`^Pro: ${left} of 300 left, resets in \\d+ s$`);
    expect(await page.innerText('.quota')).toMatch(shown);
    await page.route('**/v1/pets', async (route) => {
      const response = await route.fetch();
      const reset = String(Math.ceil(Date.now() / 86_400_000) * 86_400);
      const limits = { limit: '10000', remaining: '1234', reset };
      const headers = Object.entries(limits).map(([name, value]) => [`x-ratelimit-${name}`, value]);
      await route.fulfill({
        response,
        headers: { ...response.headers(), ...Object.fromEntries(headers) },
      });
    });
    await send('listPets');
    expect(await page.innerText('.quota')).toStartWith('Pro: 1,234 of 10,000 left, resets in');
    expect(await page.getAttribute('meter', 'aria-label')).toBe('Requests left today');
    // On one line, however large the numbers.
    for (const plan of [
      'Business: 999 of 1,000 left',
      'Custom limits: 9,999,999 of 10,000,000 left',
    ]) {
      await page.locator('.quota > span').evaluate((node, text) => {
        node.textContent = `${text}, resets in 56 s`;
      }, plan);
      const { y = 0, height = 0 } = (await page.locator('.key-note').boundingBox()) ?? {};
      const header = await page.locator('.top').boundingBox();
      expect(y + height).toBeLessThan(header?.height ?? 0);
    }
    await page.unroute('**/v1/pets');
  });
});

describe('the search', () => {
  const options = () => page.locator('[role=option]');

  test.each([
    ['an error code', 'pet_not_found', '/docs/errors#pet_not_found'],
    ['a parameter', 'after', '/docs#parameter-listPets-after'],
    ['a field', 'categoryId', '/docs#'],
    ['an operation', 'list pets', '/docs#listPets'],
    ['a word with a typo', 'paginaton', '/docs#pagination'],
  ])('finds %s with the keyboard alone', async (_, query, target) => {
    await go('/docs/limits');
    await page.keyboard.press('/');
    await page.keyboard.type(query);
    await options().first().waitFor();
    const active = await page.getAttribute('#search', 'aria-activedescendant');
    expect(await page.getAttribute(`#${active}`, 'aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href.startsWith(origin + target));
    expect(await page.locator(':target').count()).toBe(1);
  });

  test('moves with the arrows, closes on Escape, and says how many results there are', async () => {
    await page.focus('#search');
    await page.keyboard.type('limit');
    await options().nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await page.getAttribute('#search', 'aria-activedescendant')).toBe('search-result-1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    const count = await options().count();
    expect(await options().last().getAttribute('aria-selected')).toBe('true');
    expect(await isOnTop(options().last())).toBe(true);
    expect(await page.innerText('.search [role=status]')).toBe(`${count} results`);
    await page.keyboard.press('Escape');
    expect(await options().count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.inputValue('#search')).toBe('');
    await page.focus('#search');
    await page.keyboard.type('nothing like this');
    await page.waitForSelector('search [role=status]:text("No results")');
    await page.keyboard.press('Escape');
  });

  test('works with the mouse', async () => {
    await page.fill('#search', 'rate_limit_day');
    await options().first().click();
    await page.waitForURL(`${origin}/docs/errors#rate_limit_day`);
  });

  test('says so when it is not available, and works again later', async () => {
    await go('/docs');
    const index = '**/docs/search.json';
    const body = '{"code":"service_unavailable"}';
    await page.route(index, (route) => route.fulfill({ status: 503, body }));
    await page.fill('#search', 'limit');
    await page.waitForSelector('search [role=status]:text("Search is not available")');
    await page.unroute(index);
    await page.focus('#api-key');
    await page.fill('#search', 'limits');
    await options().first().waitFor();
    expect(newErrors()).toEqual([]);
  });

  test('leaves a slash in a field alone', async () => {
    await page.focus('#api-key');
    await page.keyboard.type('/');
    expect(await page.inputValue('#api-key')).toEndWith('/');
    await page.fill('#api-key', key);
  });
});

/** Within the window, and nothing covers it. */
function isOnTop(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

describe('the navigation', () => {
  const marked = () => page.locator('#navigation [aria-current=location]');

  test('marks the section in view while the reader scrolls, and shows its link', async () => {
    await page.setViewportSize({ width: 1280, height: 500 });
    await go('/docs/errors');
    for (const id of ['rate_limit_day', 'missing_api_key']) {
      // As a wheel would: this is not a jump to a link.
      await page.evaluate(`document.getElementById('${id}').scrollIntoView()`);
      await page.mouse.move(640, 300);
      await page.mouse.wheel(0, 10);
      await eventually(async () =>
        ((await marked().getAttribute('href')) ?? '').endsWith(`#${id}`),
      );
      expect(await isOnTop(marked())).toBe(true);
    }
    expect(await marked().count()).toBe(1);
  });

  test('marks the section that the reader chose, even if it is too short to reach the top', async () => {
    const last = page.locator('#navigation a[href*="errors#"]').last();
    const href = await last.getAttribute('href');
    await last.click();
    await eventually(async () => (await marked().getAttribute('href')) === href);
    await page.reload();
    expect(await marked().getAttribute('href')).toBe(href);
  });

  test('folds away on a phone, and closes after a choice', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await go('/docs');
    expect(await page.isVisible('#navigation')).toBe(false);
    await page.click('.open-menu');
    await page.click('#navigation a[href$="#getPet"]');
    await page.waitForSelector('#navigation', { state: 'hidden' });
    expect(page.url()).toBe(`${origin}/docs#getPet`);
    // The header stays, so that the menu and the search are always at hand.
    expect(await isOnTop(page.locator('.open-menu'))).toBe(true);
    expect(await isOnTop(page.locator('#search'))).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('the pages', () => {
  test('open at the root of the service', async () => {
    await go('/');
    expect(page.url()).toBe(`${origin}/docs`);
  });

  test('have a section for every operation, and the removal date of getPet', async () => {
    for (const [name, { summary }] of Object.entries(OPERATIONS)) {
      expect(await page.innerText(`#${name} h2`)).toContain(summary);
    }
    expect(await page.innerText('#getPet .notice')).toContain('5 December 2030');
    const code = await page.locator('#getPet .notice code').allInnerTexts();
    expect(code).toContain('after={petId - 1}&limit=1');
  });

  test('lead from a key to the first error in four steps, at the address of this service', async () => {
    expect(await page.locator('#quickstart h3').allInnerTexts()).toEqual([
      'Get a key',
      'Send your first request',
      'Read your first page',
      'Get your first error',
    ]);
    expect(await page.innerText('#get-a-key pre')).toContain('export ANIMAL_STORE_API_KEY=');
    await page.fill('#api-key', key);
    const results: [step: string, path: string, status: string][] = [
      ['first-request', '/pets', '201 Created'],
      ['first-page', '/pets?limit=2', '200 OK'],
      ['first-error', '/pets?limit=1000', '400 Bad Request'],
    ];
    for (const [step, path, status] of results) {
      expect(await sample(step)).toContain(`'${service.started.api}${path}'`);
      expect(await send(step)).toStartWith(status);
      expect(calls().at(-1)).toBe(service.started.api + path);
    }
    const link = page.locator('#first-error .error-code a');
    expect(await link.getAttribute('href')).toBe('docs/errors#invalid_parameter');
  });

  test('have a button that downloads the OpenAPI document', async () => {
    const downloading = page.waitForEvent('download');
    await page.click('text=Download openapi.json');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('openapi.json');
    const document = await fetch(`${origin}/openapi.json`);
    expect(await Bun.file(await download.path()).text()).toBe(await document.text());
  });

  test('do not move when they come to life', async () => {
    const tab = await newPage(browser);
    const places = `[...document.querySelectorAll('h1, h2, h3')].map(
      (heading) => heading.getBoundingClientRect().top + scrollY,
    )`;
    let before: unknown;
    await tab.route('**/reference.js', async (route) => {
      // A style sheet is in the list once it has loaded.
      const isLaidOut = "document.readyState === 'interactive' && document.styleSheets.length > 0";
      await eventually(() => tab.evaluate<boolean>(isLaidOut));
      before = await tab.evaluate(places);
      await route.continue();
    });
    for (const width of [1280, 390]) {
      await tab.setViewportSize({ width, height: 844 });
      await tab.goto(`${origin}/docs`);
      await tab.waitForSelector('#listPets .send .plain');
      expect(await tab.evaluate(places)).toEqual(before);
    }
    await tab.close();
  });

  test('can be read without scripts', async () => {
    const tab = await newPage(browser, { javaScriptEnabled: false });
    await tab.goto(`${origin}/docs`);
    expect(await tab.innerText('#listPets')).toContain(OPERATIONS.listPets.summary);
    expect(await tab.innerText('#listPets .panel')).toContain(`curl '${service.started.api}/pets'`);
    await tab.close();
  });

  test('work behind a proxy that adds a prefix', async () => {
    using proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url, method, headers }) => {
        const { pathname, search } = new URL(url);
        const path = /^\/animals(\/.*)$/.exec(pathname)?.[1];
        if (path === undefined) return new Response('Nothing here.', { status: 404 });
        const asItIs = { redirect: 'manual', decompress: false } as const;
        return fetch(`${origin}${path}${search}`, { method, headers, ...asItIs });
      },
    });
    const root = `${proxy.url.origin}/animals`;
    const tab = await newPage(browser);
    await tab.goto(`${root}/`);
    expect(tab.url()).toBe(`${root}/docs`);
    expect(await tab.innerText('#listPets [role=tabpanel]')).toContain(`${root}/v1/pets`);
    await tab.fill('#api-key', key);
    expect(await send('listPets', tab)).toContain('200 OK');
    await tab.fill('#search', 'pet_not_found');
    await tab.locator('[role=option]').first().click();
    await tab.waitForURL(`${root}/docs/errors#pet_not_found`);
    await tab.fill('#search', 'bans');
    await tab.locator('[role=option]').first().click();
    await tab.waitForURL(`${root}/docs/limits#bans`);
    await tab.close();
  });

  test('work at an address with a password, and show it nowhere', async () => {
    const tab = await newPage(browser);
    await tab.goto(`${origin.replace('://', '://reader:hunter2@')}/docs`);
    expect(await send('listPets', tab)).toContain('401 Unauthorized');
    expect(await tab.content()).not.toContain('hunter2');
    await tab.fill('#search', 'limit');
    await tab.locator('[role=option]').first().waitFor();
    await tab.close();
  });

  test('explain every error code, at the address in the Link header of an error', async () => {
    const { headers } = await fetch(`${service.started.api}/pets`);
    const help = /<([^>]+)>; rel="help"/.exec(headers.get('link') ?? '')?.[1] as string;
    await go(help.slice(origin.length));
    expect(await page.innerText('section:target')).toContain(ERRORS.missing_api_key.meaning);
    for (const [code, { meaning, remedy }] of Object.entries(ERRORS)) {
      const text = await page.innerText(`#${code}`);
      expect(text).toContain(meaning.replaceAll('`', ''));
      expect(text).toContain(remedy.replaceAll('`', ''));
    }
  });

  test('show the limits of every plan', async () => {
    await go('/docs/limits');
    const rows = await page.locator('#plans tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Free', '60', '1,000'],
      ['Pro', '300', '10,000'],
      ['Business', '1,000', '100,000'],
      ['Enterprise', 'custom', 'custom'],
    ]);
  });

  test('have no broken links', async () => {
    const bodies = new Map<string, string>();
    for (const path of PAGES) {
      await go(path);
      const links: string[] = await page.evaluate('[...document.links].map((link) => link.href)');
      expect(links.length).toBeGreaterThan(10);
      for (const link of new Set(links)) {
        const { hash, origin, pathname } = new URL(link);
        const address = origin + pathname;
        if (!bodies.has(address)) {
          const target = await fetch(address);
          expect(`${target.status} ${address}`).toBe(`200 ${address}`);
          bodies.set(address, await target.text());
        }
        if (hash !== '') expect(bodies.get(address)).toContain(`id="${hash.slice(1)}"`);
      }
    }
  });

  test('have three columns on a wide screen, with code that stays in view, and no empty third', async () => {
    const boxes = async (width: number) => {
      await page.setViewportSize({ width, height: 800 });
      const parts = ['#navigation', '#createPet .prose', '#createPet .side'];
      return Promise.all(parts.map((part) => page.locator(part).boundingBox()));
    };
    await go('/docs#createPet');
    for (const width of [1920, 1200]) {
      const [navigation, prose, side] = await boxes(width);
      expect(prose?.x).toBeGreaterThan((navigation?.x ?? 0) + (navigation?.width ?? 0));
      expect(side?.x).toBeGreaterThan((prose?.x ?? 0) + (prose?.width ?? 0));
      expect((side?.x ?? 0) + (side?.width ?? 0)).toBeGreaterThan(0.95 * width);
    }
    await page.evaluate('document.querySelector("#createPet-body").scrollIntoView()');
    const [, , scrolled] = await boxes(1200);
    expect(scrolled?.y).toBeGreaterThan(0);
    const [, prose, below] = await boxes(1199);
    expect(below?.y).toBeGreaterThan((prose?.y ?? 0) + (prose?.height ?? 0));
  });

  test('show whole curl samples, and texts as wide as the column, on a screen of 1280 pixels', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await go('/docs');
    const cut: string[] = await page.evaluate(
      '[...document.querySelectorAll("[role=tabpanel] pre")].filter((code) => code.scrollWidth > code.clientWidth).map((code) => code.innerText)',
    );
    expect(cut).toEqual([]);
    const prose = await page.locator('#createPet .prose').boundingBox();
    const meaning = await page.locator('#createPet dd').first().boundingBox();
    expect(meaning?.width).toBe(prose?.width);
  });

  test('print without folds and without fields', async () => {
    await page.emulateMedia({ media: 'print' });
    const isShown =
      '[...document.querySelectorAll("#listPets .fold dd")].every((part) => part.checkVisibility())';
    expect(await page.evaluate(isShown)).toBe(true);
    expect(await page.isVisible('#listPets-limit')).toBe(false);
    await page.emulateMedia({ media: null });
  });

  test('mark what is chosen where the system sets the colors', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const border = (selector: string) =>
      page.evaluate(`(() => {
        const { borderBottomColor, borderBottomWidth } = getComputedStyle(document.querySelector('${selector}'));
        return borderBottomWidth + ' ' + borderBottomColor;
      })()`);
    const tab = (isSelected: boolean) =>
      border(`#createPet [role=tab][aria-selected=${isSelected}]`);
    expect(await tab(true)).not.toBe(await tab(false));
    expect(await border('#createPet [type=submit]')).not.toStartWith('0px');
    await page.emulateMedia({ forcedColors: null });
  });

  test('show code with its lines', async () => {
    await go('/docs');
    const joined = await page.evaluate(`[...document.querySelectorAll('pre code')]
      .filter((code) => code.checkVisibility())
      .filter((code) => code.innerText.trim() !== code.textContent.trim())
      .map((code) => code.textContent)`);
    expect(joined).toEqual([]);
  });

  test('break no name on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const lines: number[] = await page.evaluate(
      '[...document.querySelectorAll("dt code")].map((name) => name.getClientRects().length)',
    );
    expect(new Set(lines)).toEqual(new Set([1]));
  });

  test('follow the color scheme of the browser', async () => {
    const background = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      return page.evaluate('getComputedStyle(document.body).backgroundColor');
    };
    expect(await background('dark')).not.toBe(await background('light'));
  });

  // The contrast of every text takes the most time, and does not depend on the width.
  test.each([
    [1280, 'light', {}],
    [1280, 'dark', { runOnly: 'color-contrast' }],
    [390, 'light', { rules: { 'color-contrast': { enabled: false } } }],
  ] as const)(
    'are accessible and fit a screen of %i pixels, %s',
    async (width, colorScheme, rules) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 844 });
      for (const path of PAGES) {
        await go(path);
        if (path === '/docs') await showEverything();
        await page.evaluate(axe.source);
        expect({ path, violations: await violations(rules) }).toEqual({ path, violations: [] });
        const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
        expect({ path, scrollWidth }).toEqual({ path, scrollWidth: width });
      }
    },
  );

  test('of staging are marked on a phone, and send a test time', async () => {
    using data = temporaryFolder();
    const database = { DATABASE_URL: `sqlite:${data.path}/staging.db`, STAGING: 'on' };
    await using staging = await serve(database);
    const tab = await newPage(browser, { viewport: { width: 390, height: 844 } });
    await tab.goto(`${staging.started.listening}/docs#rehearse`);
    const clip = "getComputedStyle(document.querySelector('header .badge')).clipPath";
    expect(await tab.evaluate<string>(clip)).toBe('none');
    await tab.evaluate(axe.source);
    expect(await violations({ rules: { 'color-contrast': { enabled: false } } }, tab)).toEqual([]);
    expect(await tab.evaluate<number>('document.documentElement.scrollWidth')).toBe(390);
    await tab.fill('#api-key', staging.started.demoKey ?? '');
    await tab.fill('#getPet-X-Test-Time', '2030-12-05T00:00:00Z');
    expect(await send('getPet', tab)).toContain('410 Gone');
    await tab.close();
  });

  test('load nothing from elsewhere, and break no policy', async () => {
    expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    expect(newErrors()).toEqual([]);
    const policy = (await fetch(`${origin}/docs`)).headers.get('content-security-policy');
    expect(policy).toStartWith("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
  });
});

/** A response, an error and search results. */
async function showEverything(): Promise<void> {
  await send('listPets');
  await page.click('#listPets .response summary');
  await page.fill('#getPet-petId', '999999');
  await send('getPet');
  await page.fill('#search', 'limit');
  await page.locator('[role=option]').first().waitFor();
}

/** Needs the source of axe in the page. */
async function violations(rules: RunOptions, tab = page): Promise<string[]> {
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
  const found = await tab.evaluate<Result[]>(
    `axe.run(${options}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
