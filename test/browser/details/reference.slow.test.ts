import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { OPERATIONS } from '#contract/operations.ts';
import { LANGUAGES } from '#reference/samples/languages.ts';
import { PAGES } from '../../reference/files.ts';
import { serveWithKey } from '../../support/command.ts';
import { eventually } from '../../support/time.ts';
import { openReference, sendOn } from '../reference-page.ts';
import { violations } from '../tab.ts';

const reference = await openReference();
const { browser, context, page, origin, api, key, largeKey } = reference;
const { go, enterKey, send, calls, sample, announced } = reference;
afterAll(() => reference[Symbol.asyncDispose]());

describe('the code panel', () => {
  beforeAll(async () => {
    await go('/docs');
    await enterKey(key);
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

  test.each(['.panel >', '.response'])(
    'has a button (%s) that copies the code, and confirms it',
    async (part) => {
      const button = page.locator(`#createPet ${part} .line > .copy[aria-live]`);
      // "Copied" is shown for only two seconds, so this begins to wait for it before it presses the button.
      const says = button.filter({ hasText: 'Copied' }).waitFor();
      await button.press('Enter');
      await says;
      const code = await page.innerText(`#createPet ${part} pre`);
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
      await button.filter({ hasNotText: 'Copied' }).waitFor();
    },
  );

  test('offers every programming language, and keeps the choice in all panels and after a reload', async () => {
    await page.selectOption('#createPet .panel select', 'Go');
    expect(await sample('createPet')).toContain('package main');
    expect(await sample('listPets')).toContain('package main');
    await page.reload();
    expect(await sample('getPet')).toContain('package main');
    await page.selectOption('#getPet .panel select', 'curl');
  });

  test('fills in the id of the pet that was added last, or else of the first pet listed, until the reader types an id', async () => {
    const offeredAfter = async (operation: string) => {
      await send(operation);
      return page.inputValue('#getPet-petId');
    };
    await go('/docs');
    await send('createPet');
    await send('createPet');
    expect(await offeredAfter('listPets')).toBe('2');
    await go('/docs');
    expect(await send('getPet')).toContain('200 OK');
    expect(await offeredAfter('getPet')).toBe('1');
    expect(calls().slice(-3)).toEqual(['s?limit=1', 's/1', 's/1'].map((end) => `${api}/pet${end}`));
    await go('/docs');
    expect(await offeredAfter('listPets')).toBe('1');
    await page.fill('#getPet-petId', '7');
    expect(await offeredAfter('createPet')).toBe('7');
  });

  test('sends the request on Enter, announces the result, and keeps the headers folded', async () => {
    await page.focus('#listPets-limit');
    await page.keyboard.press('Enter');
    await eventually(async () =>
      /^200 OK\s+\d+ ms, \d+ of 300 requests left until \d\d:\d\d:\d\d$/.test(
        await announced('listPets'),
      ),
    );
    expect(await page.evaluate('document.activeElement.id')).toBe('listPets-limit');
    expect(await page.innerText('#listPets .response')).not.toContain('x-request-id');
    await page.click('#listPets .response summary');
    expect(await page.innerText('#listPets .response details')).toMatch(/x-request-id: \S+/);
  });
});

describe('the code panel, if a request goes wrong,', () => {
  const pets = '**/v1/pets';
  beforeAll(() => go('/docs'));
  beforeEach(() => page.unroute(pets));
  afterAll(() => page.unroute(pets));

  test('shows a response as it came if it is not JSON', async () => {
    const body = '<p>502: see https://x, ]}';
    await page.route(pets, (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body }),
    );
    expect(await send('listPets')).toContain(body);
    expect(await page.locator('#listPets .error-code').count()).toBe(0);
  });

  test('cancels a slow request', async () => {
    await page.route(pets, () => {});
    await page.click('#listPets [type=submit]');
    await page.waitForSelector('#listPets .response[aria-busy=true]');
    expect(await announced('listPets')).toBe('Sending…');
    expect(await send('listPets')).toContain('Canceled');
    await page.unroute(pets);
    expect(await send('listPets')).toContain('200 OK');
  });

  test('says that the service cannot be reached', async () => {
    await context.setOffline(true);
    expect(await send('listPets')).toContain('cannot be reached');
    await context.setOffline(false);
  });
});

describe('the key', () => {
  test('is kept in session storage only, so a new tab does not have it', async () => {
    await go('/docs');
    await enterKey(key);
    await go('/docs');
    expect(await page.inputValue('.send input')).toBe(key);
    await using other = await context.newPage();
    await other.goto(`${origin}/docs`);
    expect(await other.inputValue('.send input')).toBe('');
    const kept = 'JSON.stringify(localStorage) + document.cookie + location + document.title';
    expect(await page.evaluate(kept)).not.toContain(key);
  });

  test('may be missing: the panel then says so, and shows the error', async () => {
    await go('/docs');
    await enterKey('');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(key);
    expect(await send('listPets')).toContain('"code": "missing_api_key"');
    await page.fill('#listPets .send input', key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#listPets .response >> text=200 OK');
  });

  test('may be pasted with "Bearer" in front, and with white space', async () => {
    await enterKey('');
    const pasted = JSON.stringify(` Bearer ${key.slice(0, 9)}\n${key.slice(9)}\n`);
    await page.evaluate(`document.execCommand('insertText', false, ${pasted})`);
    expect(await page.inputValue('.send input')).toBe(key);
  });
});

/** Returns true if the center of the element is inside the window, and no other element covers it. */
function isOnTop(element: Locator) {
  return element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
}

describe('the search', () => {
  const results = page.locator('.search-list a');
  const isFocused = (result: Locator) => result.evaluate((node) => node.matches(':focus'));

  test('moves the focus with the arrow keys, closes on Escape, and says how many results there are', async () => {
    await go('/docs');
    await page.focus('#search');
    await page.keyboard.type('limit');
    await results.nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await isFocused(results.first())).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await isFocused(results.last())).toBe(true);
    expect(await isOnTop(results.last())).toBe(true);
    const count = await results.count();
    expect(await page.innerText('.search [role=status]')).toBe(`${count} results`);
    await page.keyboard.press('Escape');
    expect(await results.count()).toBe(0);
    await page.fill('#search', 'xyzzy');
    await page.waitForSelector('search [role=status]:text("No results")');
  });

  test.each([
    ['Type / to search', false],
    ['Search', true],
  ])('has the hint %p (touch screen: %p)', async (hint, hasTouch) => {
    await using tab = await browser.newPage({ isMobile: hasTouch, hasTouch });
    await tab.goto(`${origin}/docs`);
    await tab.getByPlaceholder(hint, { exact: true }).waitFor();
  });
});

describe('the navigation', () => {
  test('on a phone, opens with its button, and closes with the button, Escape, a tap outside it or one of its links', async () => {
    const menu = page.locator('#navigation');
    const button = page.locator('.open-menu');
    await page.setViewportSize({ width: 390, height: 844 });
    await go('/docs');
    for (const close of [
      () => button.click(),
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(380, 400),
      () => page.click('#navigation a[href$="#getPet"]'),
    ]) {
      expect(await menu.isVisible()).toBe(false);
      await button.press('Enter');
      await menu.waitFor();
      expect(await isOnTop(button)).toBe(true);
      // The next Tab moves the focus into the menu.
      await page.keyboard.press('Tab');
      expect(await menu.locator('a:focus').count()).toBe(1);
      await close();
      await menu.waitFor({ state: 'hidden' });
    }
    await page.waitForURL(`${origin}/docs#getPet`);
    // The header stays visible while the page scrolls, so that the menu and the search are always within reach.
    expect(await isOnTop(button)).toBe(true);
  });

  test('does not cover the page if a tablet is rotated while the menu is open', async () => {
    await go('/docs');
    await page.click('.open-menu');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await isOnTop(page.locator('h1'))).toBe(true);
  });
});

describe('the pages', () => {
  test('guide a new reader from a key to the first error, with the address of this service in every sample', async () => {
    await go('/docs');
    expect(await page.innerText('#get-a-key pre')).toContain('export ANIMAL_STORE_API_KEY=');
    await enterKey(key);
    for (const [step, path, status] of [
      ['first-request', '/pets', '201 Created'],
      ['first-page', '/pets?limit=2', '200 OK'],
      ['first-error', '/pets?limit=1000', '400 Bad Request'],
    ] as const) {
      expect(await sample(step)).toContain(`'${api}${path}'`);
      expect(await send(step)).toStartWith(status);
    }
    const link = page.locator('#first-error .error-code a');
    expect(await link.getAttribute('href')).toBe('./docs/errors#invalid_parameter');
  });

  test('can be read without scripts', async () => {
    await using tab = await browser.newPage({ javaScriptEnabled: false });
    await tab.goto(`${origin}/docs`);
    expect(await tab.innerText('#listPets')).toContain(OPERATIONS.listPets.summary);
    expect(await tab.innerText('#listPets .panel')).toContain(`curl -X GET \\\n  '${api}/pets'`);
    expect(await tab.locator('#listPets .panel > pre:visible').count()).toBe(LANGUAGES.length);
    expect(await tab.locator(':is(button, input, select, textarea):visible').count()).toBe(0);
  });

  test('work behind a proxy that adds a prefix', async () => {
    using proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url, method, headers }) => {
        const { pathname, search } = new URL(url);
        const path = /^\/docs(\/.*)$/.exec(pathname)?.[1];
        if (path === undefined) return new Response('Nothing here.', { status: 404 });
        const asItIs = { redirect: 'manual', decompress: false } as const;
        return fetch(`${origin}${path}${search}`, { method, headers, ...asItIs });
      },
    });
    const root = `${proxy.url.origin}/docs`;
    await using tab = await browser.newPage();
    await tab.goto(`${root}/`);
    expect(tab.url()).toBe(`${root}/docs`);
    await tab.fill('.send input', key);
    expect(await sendOn(tab, 'listPets')).toContain('200 OK');
    await tab.fill('#search', 'pet_not_found');
    await tab.locator('.search-list a').first().click();
    await tab.waitForURL(`${root}/docs/errors#pet_not_found`);
  });

  test('work at an address with a password, and show it nowhere', async () => {
    await using tab = await browser.newPage();
    await tab.goto(`${origin.replace('://', '://reader:hunter2@')}/docs`);
    expect(await sendOn(tab, 'listPets')).toContain('401 Unauthorized');
    expect(await tab.content()).not.toContain('hunter2');
  });

  test.each([1280, 900, 320])('are accessible and fit a screen of %i pixels', async (width) => {
    const colorScheme = width < 900 ? 'dark' : 'light';
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    for (const path of PAGES) {
      await go(path);
      if (path === '/docs') await showEverything();
      expect(await violations(page)).toEqual([]);
      if (path === '/docs/errors') expect(await page.getByRole('columnheader').count()).toBe(4);
    }
  });

  /** Makes the page show the headers of a response, an error, search results and a long note about limits. */
  async function showEverything() {
    await enterKey(largeKey);
    await send('listPets');
    await page.click('#listPets .response summary');
    await page.fill('#getPet-petId', '999999');
    await send('getPet');
    await page.fill('#search', 'limit');
    await page.locator('.search-list a').first().waitFor();
  }

  test('on staging, show a badge even on a phone, and can send a test time', async () => {
    await using staging = await serveWithKey({ STAGING: 'on' });
    await using tab = await browser.newPage({ viewport: { width: 320, height: 844 } });
    await tab.goto(`${staging.started.listening}/docs#staging`);
    const clip = "getComputedStyle(document.querySelector('header .badge')).clipPath";
    expect(await tab.evaluate<string>(clip)).toBe('none');
    expect(await violations(tab)).toEqual([]);
    await tab.fill('.send input', staging.secret);
    await tab.fill('#getPet-X-Test-Time', '2030-12-05T00:00:00Z');
    expect(await sendOn(tab, 'getPet')).toContain('410 Gone');
  });
});
