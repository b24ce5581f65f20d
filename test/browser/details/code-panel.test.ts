import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ERRORS } from '../../../src/contract/errors.ts';
import { eventually } from '../../support/command.ts';
import { openReference } from '../reference-page.ts';

const reference = await openReference();
const { page, context, origin, api, key, go, send, calls, sample, announced } = reference;
afterAll(() => reference[Symbol.asyncDispose]());

describe('the code panel', () => {
  beforeAll(async () => {
    await go('/docs');
    await page.fill('#api-key', key);
  });

  test('shows the request before it is sent, and follows what the reader types', async () => {
    expect(await sample('listPets')).toContain(`${api}/pets'`);
    await page.fill('#listPets-limit', '7');
    expect(await sample('listPets')).toContain('/pets?limit=7');
    await page.fill('#createPet-Idempotency-Key', 'abc');
    expect(await sample('createPet')).toContain('Idempotency-Key: abc');
    expect(calls()).toEqual([]);
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
    await page.reload();
    expect(await page.innerText('#getPet [aria-selected=true]')).toBe('Python');
    await page.click('#getPet [role=tab]:text("curl")');
  });

  test('is sent with Ctrl+Enter from a field, and announces the result', async () => {
    await page.focus('#listPets-limit');
    await page.keyboard.press('Control+Enter');
    await eventually(async () => /^200 OK, \d+ ms$/.test(await announced('listPets')));
    expect(await page.evaluate('document.activeElement.id')).toBe('listPets-limit');
  });

  test('links the code of an error to its explanation', async () => {
    await page.fill('#getPet-petId', '999999');
    expect(await send('getPet')).toContain('404 Not Found');
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
});

describe('with a proxy in front', () => {
  const pets = '**/v1/pets';
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
  test('is kept for the tab, on all pages, and is in no other tab', async () => {
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
    const left = Number(await page.getAttribute('meter', 'value'));
    const shown = new RegExp(`^Pro: ${left} of 300 left, resets in \\d+ s$`);
    expect(await page.innerText('.quota')).toMatch(shown);
  });
});
