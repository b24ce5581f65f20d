import { afterAll, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { OPERATIONS } from '../../../src/contract/operations.ts';
import { newPage } from '../../support/browser.ts';
import { serve } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { openReference, PAGES, sendOn } from '../reference-page.ts';
import { violations } from '../tab.ts';

const reference = await openReference();
const { browser, page, origin, api, key, go, send, sample } = reference;
afterAll(() => reference[Symbol.asyncDispose]());

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
    expect(page.url()).toBe(`${origin}/docs#getPet`);
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

  test('have a button that downloads the OpenAPI document', async () => {
    const downloading = page.waitForEvent('download');
    await page.click('text=Download openapi.json');
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('openapi.json');
    const document = await fetch(`${origin}/openapi.json`);
    expect(await Bun.file(await download.path()).text()).toBe(await document.text());
  });

  test('can be read without scripts', async () => {
    const tab = await newPage(browser, { javaScriptEnabled: false });
    await tab.goto(`${origin}/docs`);
    expect(await tab.innerText('#listPets')).toContain(OPERATIONS.listPets.summary);
    expect(await tab.innerText('#listPets .panel')).toContain(`curl '${api}/pets'`);
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
    await tab.fill('#api-key', key);
    expect(await sendOn(tab, 'listPets')).toContain('200 OK');
    await tab.fill('#search', 'pet_not_found');
    await tab.locator('[role=option]').first().click();
    await tab.waitForURL(`${root}/docs/errors#pet_not_found`);
    await tab.close();
  });

  test('work at an address with a password, and show it nowhere', async () => {
    const tab = await newPage(browser);
    await tab.goto(`${origin.replace('://', '://reader:hunter2@')}/docs`);
    expect(await sendOn(tab, 'listPets')).toContain('401 Unauthorized');
    expect(await tab.content()).not.toContain('hunter2');
    await tab.close();
  });

  test.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('are accessible and fit a screen of %i pixels, %s', async (width, colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    for (const path of PAGES) {
      await go(path);
      if (path === '/docs') await showEverything();
      expect({ path, violations: await violations(page) }).toEqual({ path, violations: [] });
    }
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

  test('of staging are marked on a phone, and send a test time', async () => {
    using data = temporaryFolder();
    const database = { DATABASE_URL: `sqlite:${data.path}/staging.db`, STAGING: 'on' };
    await using staging = await serve(database);
    const tab = await newPage(browser, { viewport: { width: 390, height: 844 } });
    await tab.goto(`${staging.started.listening}/docs#rehearse`);
    const clip = "getComputedStyle(document.querySelector('header .badge')).clipPath";
    expect(await tab.evaluate<string>(clip)).toBe('none');
    expect(await violations(tab)).toEqual([]);
    await tab.fill('#api-key', staging.started.demoKey ?? '');
    await tab.fill('#getPet-X-Test-Time', '2030-12-05T00:00:00Z');
    expect(await sendOn(tab, 'getPet')).toContain('410 Gone');
    await tab.close();
  });
});
