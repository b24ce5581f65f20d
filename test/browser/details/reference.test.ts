import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { launchBrowser } from '../../support/browser.ts';
import { eventually, serve } from '../../support/command.ts';
import { newFile } from '../../support/temporary-folder.ts';
import { openReference, PAGES, sendOn } from '../reference-page.ts';
import { violations } from '../tab.ts';

const browser = await launchBrowser();
const reference = await openReference(browser);
const { context, page, origin, api, key, largeKey, go, send, calls, sample, announced } = reference;
afterAll(async () => {
  await reference[Symbol.asyncDispose]();
  await browser.close();
});

describe('the code panel', () => {
  beforeAll(async () => {
    await go('/docs');
    await page.fill('#api-key', key);
  });

  test('shows the request before it is sent, without the key, and follows what is typed', async () => {
    expect(await sample('listPets')).toContain(`${api}/pets'`);
    expect(await sample('listPets')).not.toContain(key);
    await page.fill('#listPets-limit', '7');
    expect(await sample('listPets')).toContain('/pets?limit=7');
    await page.fill('#createPet-Idempotency-Key', 'abc');
    expect(await sample('createPet')).toContain('Idempotency-Key: abc');
    expect(calls()).toEqual([]);
  });

  test('copies the sample, and says so', async () => {
    // Shown for two seconds, so the wait begins before the click.
    const says = page.waitForSelector(
      '#createPet .tabs:has(.copy:text("Copied")) [role=status]:text("Copied")',
    );
    await page.click('#createPet .copy');
    await says;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await sample('createPet'));
    await page.waitForSelector('#createPet .copy:text-is("Copy")');
  });

  test('has a tab for each language. The choice holds for all panels, pages and tabs', async () => {
    await page.click('#createPet [role=tab]:text("Go")');
    expect(await sample('createPet')).toContain('package main');
    expect(await sample('listPets')).toContain('package main');
    await page.keyboard.press('ArrowRight');
    expect(await page.innerText('#createPet .panel [aria-selected=true]')).toBe('curl');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Python');
    await page.reload();
    expect(await page.innerText('#getPet [aria-selected=true]')).toBe('Python');
    await page.click('#getPet [role=tab]:text("curl")');
  });

  test('is sent with Ctrl+Enter, announces the result, and folds the headers away', async () => {
    await page.focus('#listPets-limit');
    await page.keyboard.press('Control+Enter');
    await eventually(async () => /^200 OK, \d+ ms$/.test(await announced('listPets')));
    expect(await page.evaluate('document.activeElement.id')).toBe('listPets-limit');
    expect(await page.innerText('#listPets .response')).not.toContain('x-request-id');
    await page.click('#listPets .response summary');
    expect(await page.innerText('#listPets .response details')).toMatch(/x-request-id: \S+/);
  });
});

describe('with a proxy in front', () => {
  const pets = '**/v1/pets';
  beforeAll(() => go('/docs'));
  beforeEach(() => page.unroute(pets));
  afterAll(() => page.unroute(pets));

  test('shows a response that is not JSON unchanged', async () => {
    const body = '<p>502: see https://x, ]}';
    await page.route(pets, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body }),
    );
    expect(await send('listPets')).toContain(body);
    expect(await page.locator('#listPets .error-code').count()).toBe(0);
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
    await page.waitForSelector('#listPets .badge:text("Canceled")');

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

describe('the key', () => {
  test('is kept in session storage, on all pages, and is in no new tab', async () => {
    await go('/docs');
    await page.fill('#api-key', key);
    await go('/docs/errors');
    expect(await page.inputValue('#api-key')).toBe(key);
    const other = await context.newPage();
    await other.goto(`${origin}/docs`);
    expect(await other.inputValue('#api-key')).toBe('');
    const kept = 'JSON.stringify(localStorage) + document.cookie + location + document.title';
    expect(await page.evaluate(kept)).not.toContain(key);
    await other.close();
  });

  test('may be missing: the panel then says so, and shows the error', async () => {
    await go('/docs');
    await page.click('.key-field >> text=Clear');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await send('listPets')).toContain('"code": "missing_api_key"');
    expect(await page.innerText('.quota')).toStartWith('No valid key: ');
    await page.click('#listPets .send >> text=Enter your API key');
    expect(await page.evaluate('document.activeElement.id')).toBe('api-key');
  });

  test('may be pasted with white space and the scheme', async () => {
    const pasted = JSON.stringify(` Bearer ${key.slice(0, 9)}\n${key.slice(9)}\n`);
    await page.evaluate(`document.execCommand('insertText', false, ${pasted})`);
    expect(await page.inputValue('#api-key')).toBe(key);
  });

  test('has a meter of its plan, which follows every response', async () => {
    await page.fill('#api-key', key);
    expect(await page.locator('.quota').count()).toBe(0);
    await send('listPets');
    expect(await page.getAttribute('meter', 'aria-label')).toBe('Requests left this minute');
    // The minute may end before the text is read.
    expect(await page.innerText('.quota')).toMatch(/^Pro: \d+ of 300 left(, resets in \d+ s)?$/);
  });
});

/** Within the window, and nothing covers it. */
function isOnTop(element: Locator): Promise<boolean> {
  return element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

describe('the search', () => {
  const options = () => page.locator('[role=option]');

  test('moves with the arrows, closes on Escape, and says how many results there are', async () => {
    await go('/docs');
    await page.focus('#search');
    await page.keyboard.type('limit');
    await options().nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await page.getAttribute('#search', 'aria-activedescendant')).toBe('search-result-1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await options().last().getAttribute('aria-selected')).toBe('true');
    expect(await isOnTop(options().last())).toBe(true);
    const count = await options().count();
    expect(await page.innerText('.search [role=status]')).toBe(`${count} results`);
    await page.keyboard.press('Escape');
    expect(await options().count()).toBe(0);
    await page.fill('#search', 'nothing like this');
    await page.waitForSelector('search [role=status]:text("No results")');
  });
});

describe('the navigation', () => {
  test('folds away on a phone, and closes after a choice', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await go('/docs');
    expect(await page.isVisible('#navigation')).toBe(false);
    await page.click('.open-menu');
    await page.click('#navigation a[href$="#getPet"]');
    await page.waitForSelector('#navigation', { state: 'hidden' });
    await page.waitForURL(`${origin}/docs#getPet`);
    // The header stays, so that the menu and the search are always at hand.
    expect(await isOnTop(page.locator('.open-menu'))).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('the pages', () => {
  test('lead from a key to the first error, at the address of this service', async () => {
    await go('/docs');
    expect(await page.innerText('#get-a-key pre')).toContain('export ANIMAL_STORE_API_KEY=');
    await page.fill('#api-key', key);
    for (const [step, path, status] of [
      ['first-request', '/pets', '201 Created'],
      ['first-page', '/pets?limit=2', '200 OK'],
      ['first-error', '/pets?limit=1000', '400 Bad Request'],
    ] as const) {
      expect(await sample(step)).toContain(`'${api}${path}'`);
      expect(await send(step)).toStartWith(status);
    }
    const link = page.locator('#first-error .error-code a');
    expect(await link.getAttribute('href')).toBe('docs/errors#invalid_parameter');
  });

  test('can be read without scripts', async () => {
    const tab = await browser.newPage({ javaScriptEnabled: false });
    await tab.goto(`${origin}/docs`);
    expect(await tab.innerText('#listPets')).toContain(OPERATIONS.listPets.summary);
    expect(await tab.innerText('#listPets .panel')).toContain(`curl '${api}/pets'`);
    expect(await tab.locator(':is(button, input, select, textarea):visible').count()).toBe(0);
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
    const tab = await browser.newPage();
    await tab.goto(`${root}/`);
    expect(tab.url()).toBe(`${root}/docs`);
    await tab.fill('#api-key', key);
    expect(await sendOn(tab, 'listPets')).toContain('200 OK');
    await tab.fill('#search', 'pet_not_found');
    await tab.locator('[role=option]').first().click();
    await tab.waitForURL(`${root}/docs/errors#pet_not_found`);
    await tab.close();
  });

  test('work at an address with a password, and show it nowhere', async () => {
    const tab = await browser.newPage();
    await tab.goto(`${origin.replace('://', '://reader:hunter2@')}/docs`);
    expect(await sendOn(tab, 'listPets')).toContain('401 Unauthorized');
    expect(await tab.content()).not.toContain('hunter2');
    await tab.close();
  });

  test.each([1280, 900, 320])('are accessible and fit a screen of %i pixels', async (width) => {
    const colorScheme = width < 900 ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    for (const path of PAGES) {
      await go(path);
      if (path === '/docs') await showEverything();
      expect({ path, violations: await violations(page) }).toEqual({ path, violations: [] });
    }
  });

  /** A response, an error, a long note about limits and search results. */
  async function showEverything(): Promise<void> {
    await page.fill('#api-key', largeKey);
    await send('listPets');
    await page.click('#listPets .response summary');
    await page.fill('#getPet-petId', '999999');
    await send('getPet');
    await page.fill('#search', 'limit');
    await page.locator('[role=option]').first().waitFor();
  }

  test('of staging are marked on a phone, and send a test time', async () => {
    await using staging = await serve({ ...newFile().settings, STAGING: 'on' });
    const tab = await browser.newPage({ viewport: { width: 320, height: 844 } });
    await tab.goto(`${staging.started.listening}/docs#staging`);
    const clip = "getComputedStyle(document.querySelector('header .badge')).clipPath";
    expect(await tab.evaluate<string>(clip)).toBe('none');
    expect(await violations(tab)).toEqual([]);
    await tab.fill('#api-key', staging.started.demoKey ?? '');
    await tab.fill('#getPet-X-Test-Time', '2030-12-05T00:00:00Z');
    expect(await sendOn(tab, 'getPet')).toContain('410 Gone');
    await tab.close();
  });
});
