import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ERRORS } from '../../src/contract/errors.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { launchBrowser, newPage } from '../support/browser.ts';
import { makeKey, type Serving, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
let service: Serving;
let browser: Browser;
let key: string;

beforeAll(async () => {
  [service, browser] = await Promise.all([serve(settings), launchBrowser()]);
  key = (await makeKey(settings, 'reader')).secret;
});
afterAll(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

interface Opened {
  readonly page: Page;
  readonly requested: string[];
  /** Script errors and console messages, such as a violated policy. */
  readonly errors: string[];
}

async function open(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Opened> {
  const page = await newPage(browser, { colorScheme });
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => errors.push(message.text()));
  const response = await page.goto(`${service.started.listening}${path}`);
  expect(response?.status()).toBe(200);
  return { page, requested, errors };
}

async function send(page: Page, operation: string): Promise<string> {
  await page.click(`#${operation} button`);
  await page.waitForSelector(`#${operation} form[aria-busy=false]`);
  return page.innerText(`#${operation} .exchange`);
}

describe('the reference', () => {
  test('opens at the root of the service', async () => {
    const { page } = await open('/');
    expect(page.url()).toBe(`${service.started.listening}/docs`);
    expect(await page.innerText('h1')).toBe('Reference');
    await page.close();
  });

  test('has a section for every operation, and the removal date of getPet', async () => {
    const { page } = await open('/docs');
    for (const name of Object.keys(OPERATIONS)) {
      expect(await page.innerText(`#${name} h2`)).toContain(name);
    }
    expect(await page.innerText('#getPet .notice')).toContain('5 December 2030');
    await page.close();
  });

  test('sends requests with a key, and keeps every digit of an int64', async () => {
    const { page, requested, errors } = await open('/docs');
    await page.fill('#api-key', key);
    await page.fill('#createPet-body', '{"name":"Rex","categoryId":9223372036854775807}');
    const created = await send(page, 'createPet');
    expect(created).toContain('201 Created');
    expect(created).toContain('"categoryId": 9223372036854775807,');
    const id = /"id": (\d+)/.exec(created)?.[1] as string;

    await page.fill('#getPet-petId', id);
    expect(await send(page, 'getPet')).toContain('"categoryId": 9223372036854775807,');

    await page.selectOption('#listPets-status', 'sold');
    await page.fill('#listPets-after', '9007199254740993');
    const listed = await send(page, 'listPets');
    expect(listed).toContain('status=sold&after=9007199254740993');
    expect(listed).toContain('200 OK');
    expect(listed).toEndWith('[]');

    expect(requested.filter((url) => !url.startsWith(service.started.listening))).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('shows a shell command that sends the same request, without the key in it', async () => {
    const { page } = await open('/docs');
    await page.fill('#api-key', key);
    await page.fill('#createPet-body', `{"name":"O'Malley","categoryId":7}`);
    await send(page, 'createPet');
    const command = await page.innerText('#createPet .exchange pre >> nth=0');
    expect(command).not.toContain(key);
    const { stdout } = Bun.spawnSync(['sh', '-c', command], {
      env: { PATH: Bun.env['PATH'] ?? '', KEY: key },
      stderr: 'ignore',
    });
    expect(stdout.toString()).toContain('201 Created');
    expect(stdout.toString()).toContain(`"name":"O'Malley"`);
    await page.close();
  });

  test('shows the Error body of a failed request', async () => {
    const { page } = await open('/docs');
    await page.fill('#api-key', 'ask_wrong');
    expect(await send(page, 'listPets')).toContain('"code": "invalid_api_key"');
    await page.close();
  });

  test('shows the response of a proxy unchanged', async () => {
    const { page } = await open('/docs');
    const body = '<p>502: see https://x, ]}';
    await page.route('**/v1/pets', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body }),
    );
    expect(await send(page, 'listPets')).toEndWith(body);
    await page.close();
  });

  test('does not send a key with invalid characters, and says so', async () => {
    const { page, requested } = await open('/docs');
    await page.fill('#api-key', 'ask_…');
    const before = requested.length;
    expect(await send(page, 'listPets')).toContain('Check your API key');
    expect(await page.innerText('#listPets [role=status]')).toBe('Not sent');
    expect(requested).toHaveLength(before);
    await page.close();
  });

  test('works with the keyboard alone, and announces the result', async () => {
    const { page } = await open('/docs');
    await page.focus('#api-key');
    await page.keyboard.type(key);
    await page.focus('#listPets button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#listPets form[aria-busy=false]');
    expect(await page.innerText('#listPets [role=status]')).toBe('200 OK');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Send listPets');
    await page.close();
  });

  test('works behind a proxy that adds a prefix', async () => {
    const { listening } = service.started;
    using proxy = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url, method, headers }) => {
        const path = /^\/animals(\/.*)$/.exec(new URL(url).pathname)?.[1];
        if (path === undefined) return new Response('Nothing here.', { status: 404 });
        const asItIs = { redirect: 'manual', decompress: false } as const;
        return fetch(`${listening}${path}`, { method, headers, ...asItIs });
      },
    });
    const page = await newPage(browser);
    await page.goto(`${proxy.url.origin}/animals/`);
    expect(page.url()).toBe(`${proxy.url.origin}/animals/docs`);
    await page.fill('#api-key', key);
    expect(await send(page, 'listPets')).toContain('200 OK');
    await page.click('text=Errors');
    expect(page.url()).toBe(`${proxy.url.origin}/animals/docs/errors`);
    await page.click('text=Limits');
    expect(await page.innerText('h1')).toBe('Limits');
    await page.close();
  });

  test('says so when the service cannot be reached', async () => {
    const { page } = await open('/docs');
    await page.context().setOffline(true);
    expect(await send(page, 'listPets')).toContain('cannot be reached');
    await page.close();
  });

  test('follows the color scheme of the browser', async () => {
    const background = async (scheme: 'light' | 'dark') => {
      const { page } = await open('/docs', scheme);
      const color = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      await page.close();
      return color;
    };
    expect(await background('light')).toBe('rgb(255, 255, 255)');
    expect(await background('dark')).not.toBe(await background('light'));
  });
});

describe('the pages', () => {
  test('have a policy that allows only their own styles, scripts and API', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/limits']) {
      const { headers } = await fetch(`${service.started.listening}${path}`);
      const policy = headers.get('content-security-policy');
      expect(policy).toStartWith("default-src 'none'; style-src 'self'; script-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toContain('http');
    }
  });

  test('explain every error code, at the address in the Link header of an error', async () => {
    const { headers } = await fetch(`${service.started.api}/pets`);
    const help = /<([^>]+)>; rel="help"/.exec(headers.get('link') ?? '')?.[1] as string;
    const { page, errors } = await open(help.slice(service.started.listening.length));
    expect(await page.innerText('section:target')).toContain(ERRORS.missing_api_key.meaning);
    for (const [code, { meaning, remedy }] of Object.entries(ERRORS)) {
      expect(await page.innerText(`#${code}`)).toContain(meaning);
      expect(await page.innerText(`#${code}`)).toContain(remedy);
    }
    expect(errors).toEqual([]);
    await page.close();
  });

  test('show the limits of every plan', async () => {
    const { page, errors } = await open('/docs/limits');
    const rows = await page.locator('#plans tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t'))).toEqual([
      ['Free', '60', '1,000'],
      ['Pro', '300', '10,000'],
      ['Business', '1,000', '100,000'],
      ['Enterprise', 'custom', 'custom'],
    ]);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('have no broken links', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/limits']) {
      const { page } = await open(path);
      const links: string[] = await page.evaluate('[...document.links].map((link) => link.href)');
      expect(links.length).toBeGreaterThan(10);
      for (const link of new Set(links)) {
        const { hash, href } = new URL(link);
        const target = await fetch(href);
        expect(`${target.status} ${href}`).toBe(`200 ${href}`);
        if (hash !== '') expect(await target.text()).toContain(`id="${hash.slice(1)}"`);
      }
      await page.close();
    }
  });

  test('fit a narrow screen without scrolling sideways', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/limits']) {
      const { page } = await open(path);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      expect(await page.isVisible('.contents')).toBe(true);
      await page.close();
    }
  });
});
