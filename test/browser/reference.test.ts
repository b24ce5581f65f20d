import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ERRORS } from '../../src/contract/errors.ts';
import { OPERATIONS } from '../../src/contract/operations.ts';
import { lacks } from '../support/programs.ts';
import { openReference } from './reference-page.ts';

const LARGEST = '9223372036854775807';

/** One path for each page. Everything else is in details, which only `npm run test:all` runs. */
describe.skipIf(lacks('chromium'))('the pages', () => {
  let reference: Awaited<ReturnType<typeof openReference>>;
  beforeAll(async () => {
    reference = await openReference();
  });
  afterAll(() => reference[Symbol.asyncDispose]());

  test('have a section for every operation, and the removal date of getPet', async () => {
    const { page, origin, go } = reference;
    await go('/');
    expect(page.url()).toBe(`${origin}/docs`);
    for (const [name, { summary }] of Object.entries(OPERATIONS)) {
      expect(await page.innerText(`#${name} h2`)).toContain(summary);
    }
    expect(await page.innerText('#getPet .notice')).toContain('5 December 2030');
  });

  test('send requests with the key, and keep every digit of an int64', async () => {
    const { page, key, send, calls } = reference;
    await page.fill('#api-key', key);
    await page.fill('#createPet-body', `{"name":"Rex","categoryId":${LARGEST}}`);
    const created = await send('createPet');
    expect(created).toContain('201 Created');
    expect(created).toContain(`"categoryId": ${LARGEST},`);
    const id = /"id": (\d+)/.exec(created)?.[1] ?? '';
    await page.fill('#getPet-petId', id);
    expect(await send('getPet')).toContain(`"categoryId": ${LARGEST},`);
    await page.selectOption('#listPets-status', 'sold');
    await page.fill('#listPets-after', '9007199254740993');
    expect(await send('listPets')).toMatch(/200 OK\s+\d+ ms\s+\[\]/);
    expect(calls().at(-1)).toEndWith('/v1/pets?status=sold&after=9007199254740993');
  });

  test('show the limits of every plan, and find a section with the keyboard alone', async () => {
    const { page, origin, go } = reference;
    await go('/docs/limits');
    const [free = ''] = await page.locator('#plans tbody tr').allInnerTexts();
    expect(free.split('\t')).toEqual(['Free', '60', '1,000']);
    await page.keyboard.press('/');
    await page.keyboard.type('paginaton');
    await page.locator('[role=option]').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/docs#pagination`);
    expect(await page.locator(':target').count()).toBe(1);
  });

  test('explain every error code, at the address in the Link header of an error', async () => {
    const { page, api, origin, go } = reference;
    const { headers } = await fetch(`${api}/pets`);
    const help = /<([^>]+)>; rel="help"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    await go(help.slice(origin.length));
    expect(await page.innerText('section:target')).toContain(ERRORS.missing_api_key.meaning);
    const text = await page.innerText('main');
    for (const { meaning, remedy } of Object.values(ERRORS)) {
      expect(text).toContain(meaning.replaceAll('`', ''));
      expect(text).toContain(remedy.replaceAll('`', ''));
    }
  });

  test('load nothing from elsewhere, and break no policy', async () => {
    const { origin, go, requested, newErrors } = reference;
    await go('/docs/changes');
    expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    expect(newErrors()).toEqual([]);
    const policy = (await fetch(`${origin}/docs`)).headers.get('content-security-policy');
    expect(policy).toStartWith("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
  });
});
