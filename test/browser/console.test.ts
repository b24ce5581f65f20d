import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventually } from '../support/command.ts';
import { lacks } from '../support/programs.ts';
import { openConsole } from './console-page.ts';

/** One path for each page. Everything else is in details, which only `npm run test:all` runs. */
describe.skipIf(lacks('chromium'))('the console', () => {
  let opened: Awaited<ReturnType<typeof openConsole>>;
  beforeAll(async () => {
    opened = await openConsole();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test('refuses a wrong token and says so, and the token signs in', async () => {
    const { page, origin, signIn, shows } = opened;
    await page.goto(origin);
    await signIn('wrong');
    await shows('The token is wrong.');
    await signIn();
    await page.waitForSelector('text=Sign out');
    expect(await page.innerText('h1')).toBe('Now');
  });

  test('counts requests of this second, and shows the health of the store', async () => {
    const { page, call } = opened;
    await eventually(async () => {
      await call();
      return /Requests\s+[1-9]/.test(await page.innerText('.tiles'));
    });
    const tiles = await page.innerText('.tiles');
    expect(tiles).toMatch(/Store\s+Ready/);
    expect(tiles).toMatch(/Limiter\s+Working/);
    expect(await page.locator('.plot canvas').count()).toBe(4);
  });

  test('creates an account, and shows the error of the service in the dialog', async () => {
    const { page, go, openDialog, confirm } = opened;
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
    const { page, openDialog, confirm, shows } = opened;
    await openDialog('Change plan');
    await page.selectOption('dialog select', 'enterprise');
    await page.getByLabel('Requests per minute').fill('5');
    await page.getByLabel('Requests per day').fill('70');
    await shows('No requests since');
    await confirm();
    await shows('5 a minute, 70 a day');
  });

  test('adds a pet with an int64 exactly, finds it by id, and corrects its status', async () => {
    const { page, go, openDialog, confirm, shows } = opened;
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
  });

  describe('the name', () => {
    test('of a pet turns nothing around it', async () => {
      const { page, go, openDialog, addPet } = opened;
      const name = 'Rex\u202exeR';
      const { id } = (await (await addPet({ name, status: 'pending' })).json()) as { id: number };
      await go('pets?status=pending');
      await openDialog(`Correct status of pet ${id}`);
      // How the elements are set whose whole text is the name, and text that contains it.
      const found = await page.evaluate(`(() => {
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const found = [];
        while (texts.nextNode()) {
          const { data, parentElement } = texts.currentNode;
          if (data === '${name}') found.push(getComputedStyle(parentElement).unicodeBidi);
          else if (data.includes('${name}')) found.push(data);
        }
        return found;
      })()`);
      expect(found).toEqual(['isolate', 'isolate']);
    });
  });

  test('shows who still calls getPet', async () => {
    const { page, go } = opened;
    await go('deprecations');
    const [caller = '', ...others] = await page.locator('.callers tbody tr').allInnerTexts();
    expect(caller).toMatch(/^shop\s+Key\s1\s+0\s+12\s+12\s+2 days ago/);
    expect(others).toHaveLength(1);
    expect(await page.innerText('.tiles')).toMatch(/still call it\s+1\s+1 key in the last month/);
  });

  test('shows the changes above in the audit, readably and filtered', async () => {
    const { page, go } = opened;
    await go('audit');
    const all = await page.innerText('main');
    expect(all).toMatch(/plan free → enterprise/);
    expect(all).toMatch(/status available → sold/);
    await page.fill('input[type=search]', 'New Shop');
    await page.waitForURL('**account=New+Shop**');
    await eventually(async () => !/sold/.test(await page.innerText('main')));
    expect(await page.innerText('main')).toMatch(/plan free → enterprise/);
  });

  test('loads nothing from elsewhere, and breaks no policy', () => {
    const { origin, requested, newErrors } = opened;
    const addresses = requested.filter((url) => !url.startsWith('about:'));
    expect(addresses.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
    expect(newErrors()).toEqual([]);
  });
});
