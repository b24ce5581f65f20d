import { afterAll, describe, expect, test } from 'bun:test';
import { OPERATIONS } from '#contract/operations.ts';
import { runJson } from '../support/command.ts';
import { lacks } from '../support/programs.ts';
import { eventually } from '../support/time.ts';
import { openConsole } from './console-page.ts';
import { openReference } from './reference-page.ts';

/** One path for each page. Everything else is in details, which only `npm run test:all` runs. */

const LARGEST = '9223372036854775807';
const NEW_SHOP = "Smith & Sons/O'Neil (Zoo), +1";

if (!lacks('chromium')) {
  const reference = await openReference();
  const console = await openConsole(reference.browser);
  afterAll(async () => {
    await console[Symbol.asyncDispose]();
    await reference[Symbol.asyncDispose]();
  });

  describe('the pages', () => {
    const { page, key, api, origin, go, send, calls, requested, newErrors } = reference;

    test('send requests with the key, and keep every digit of an int64', async () => {
      await go('/');
      expect(page.url()).toBe(`${origin}/docs`);
      await page.fill('.send input', key);
      expect(await page.inputValue('#createPet-status')).toBe('available');
      await page.fill('#createPet-name', 'Rex "2"');
      await page.fill('#createPet-categoryId', LARGEST);
      await page.selectOption('#createPet-status', 'pending');
      await page.click('text=Send other JSON');
      await page.fill('#createPet textarea', `{"name":"Rex","categoryId":"${LARGEST}"}`);
      expect(await send('createPet')).toContain('"code": "validation_failed"');
      await page.fill('#createPet textarea', '');
      const created = await send('createPet');
      expect(created).toContain('201 Created');
      expect(created).toContain(`"categoryId": ${LARGEST},`);
      const id = /"id": (\d+)/.exec(created)?.[1] ?? '';
      expect(await page.inputValue('#getPet-petId')).toBe(id);
      expect(await send('getPet')).toContain(`"categoryId": ${LARGEST},`);
      await page.fill('#listPets-limit', '1');
      await send('createPet');
      await send('listPets');
      const next = page.getByRole('button', { name: 'Next page' });
      await next.click();
      await eventually(async () => String(calls().at(-1)).endsWith(`/pets?limit=1&after=${id}`));
      await next.waitFor({ state: 'detached' });
      await page.fill('#listPets-limit', '');
      await page.selectOption('#listPets-status', 'sold');
      await page.fill('#listPets-after', '9007199254740993');
      expect(await send('listPets')).toMatch(/200 OK\s+\d+ ms, [^[]*\[\]/);
      expect(calls().at(-1)).toEndWith('/v1/pets?status=sold&after=9007199254740993');
    });

    test('show the limits of every plan, and find a section with the keyboard alone', async () => {
      await go('/docs/limits');
      const [free = ''] = await page.locator('#plans tbody tr').allInnerTexts();
      expect(free.split('\t')).toEqual(['Free', '60', '1,000']);
      await page.keyboard.press('/');
      await page.keyboard.type('paginaton');
      await page.locator('.search-list a').first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(`${origin}/docs#pagination`);
      expect(await page.locator(':target').count()).toBe(1);
    });

    test('show the usage of a key, which is entered by keyboard and never stored', async () => {
      await go('/usage');
      // The panels of other pages keep the key there.
      await page.evaluate('sessionStorage.clear()');
      await page.getByLabel('API key').focus();
      await page.keyboard.type('ask_wrong');
      await page.keyboard.press('Enter');
      await page.getByText('This API key is not valid.').waitFor();
      await page.getByLabel('API key').fill(key);
      const failed = await fetch(`${api}/pets/0`, { headers: { Authorization: `Bearer ${key}` } });
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('The key is active.').waitFor();
      const shown = await page.innerText('#look-up');
      expect(shown).toMatch(/This minute, \d+ of 300 requests are left until/);
      expect(shown).toMatch(/This day, [\d,]+ of 10,000 requests are left until/);
      const id = failed.headers.get('x-request-id');
      expect(shown).toMatch(new RegExp(`pet_not_found getPet \\S+ \\S+ \\S+ ${id}`));
      const stored =
        'JSON.stringify([location.href, localStorage, sessionStorage, document.cookie])';
      expect(await page.evaluate<string>(stored)).not.toContain(key);
    });

    test('load nothing from elsewhere, and break no policy', async () => {
      await go('/docs/changes');
      expect(requested.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
      expect(newErrors()).toEqual([]);
    });
  });

  describe('the console', () => {
    const { page, origin, settings, requested, newErrors } = console;
    const { go, signIn, openDialog, confirm, shows, showsHeading, showsRow, search } = console;
    const { call, addPet } = console;

    test('refuses a wrong token and says so, and the token signs in', async () => {
      await page.goto(origin);
      await signIn('wrong');
      await shows('The token is wrong or revoked.');
      await signIn();
      await page.waitForSelector('text=Sign out');
      expect(await page.innerText('h1')).toBe('Now');
    });

    test('counts requests of this second, and shows the health of the store', async () => {
      await eventually(async () => {
        await call();
        return /Requests\s+[1-9]/.test(await page.innerText('.tiles'));
      });
      const tiles = await page.innerText('.tiles');
      expect(tiles).toMatch(/Requests\s+[\d.]+ \/s\s+\d+ in the last hour/);
      expect(tiles).toMatch(/Store\s+Ready/);
      expect(tiles).toMatch(/Limiter\s+Working/);
      expect(await page.locator('.plot canvas').count()).toBe(4);
    });

    test('finds a refused request by its id', async () => {
      const { headers } = await call('wrong');
      await call('wrong');
      await go('requests');
      await page.getByPlaceholder('X-Request-Id').fill(headers.get('x-request-id') ?? '');
      await eventually(async () => (await page.locator('.requests tbody tr').count()) === 1);
      expect(await page.innerText('.requests tbody')).toMatch(/listPets\s+401 invalid_api_key/);
    });

    test('creates an account, and shows the error of the service in the dialog', async () => {
      await go('accounts');
      await page.getByLabel('Plan').selectOption('business');
      await shows('No matches');
      await openDialog('Create account');
      await page.fill('dialog input', 'shop');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('dialog [role=alert]');
      expect(await page.innerText('dialog [role=alert]')).toContain('already exists');
      await page.fill('dialog input', NEW_SHOP);
      await confirm();
      await showsHeading(NEW_SHOP);
      expect(page.url()).toEndWith(`#/accounts/${encodeURIComponent(NEW_SHOP)}`);
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

    test('lists the keys of all accounts, and keeps the filter in the address', async () => {
      await go('keys?filter=unused');
      await shows('No matches');
      await page.click('text=Show all');
      await page.waitForSelector('.keys tr');
      expect(await page.innerText('.keys tbody')).toMatch(
        /^shop\s+No label\s+Key 1, ends in \w{4}, created 14 Nov 2023\s+Active\s+\d+\s/,
      );
      await openDialog('Change key 1');
      await page.fill('dialog [name=expires]', '20d');
      await confirm();
      await page.getByLabel('Filter').selectOption('Expiring within 30 days');
      await page.waitForURL('**/#/keys?filter=expiring');
      await shows('in 19 days');
    });

    test('adds a pet with an int64 exactly, finds it by id, corrects its status and removes it', async () => {
      await go('pets');
      await shows('No pets yet');
      await openDialog('Add a pet');
      const values = { ...OPERATIONS.createPet.body.example, categoryId: LARGEST };
      for (const [field, value] of Object.entries(values)) {
        const input = page.locator(`dialog [name=${field}]`);
        const isChoice = (await input.locator('option').count()) > 0;
        await (isChoice ? input.selectOption(`${value}`) : input.fill(`${value}`));
      }
      await confirm();
      await showsRow(values.categoryId);
      const id = await page.locator('.pets tbody td').first().innerText();
      await search(id);
      await page.waitForURL(`**/#/pets?id=${id}`);
      await page.getByLabel(`Correct pet ${id}`).focus();
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog');
      await page.keyboard.press('Escape');
      // The browser returns the focus shortly before the page removes the dialog.
      await page.waitForSelector('dialog', { state: 'detached' });
      await page.waitForSelector('td button:focus');
      await page.keyboard.press('Enter');
      await page.selectOption('dialog select', 'sold');
      await confirm();
      await showsRow('Sold');
      expect(await page.locator('td button:focus').count()).toBe(1);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await shows(`This removes pet ${id} (sold), ${values.name}.`);
      await confirm();
      await page.waitForURL('**/#/pets');
      await shows(`Pet ${id} removed.`);
    });

    test('isolates the name of a pet', async () => {
      const name = 'Rex\u202exeR';
      const { id } = await (await addPet({ name, status: 'pending' })).json();
      await go('pets?status=pending');
      await openDialog(`Correct pet ${id}`);
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

    test('renames an account and removes it, by keyboard', async () => {
      await go('accounts/customer-120');
      await page.getByRole('button', { name: 'Rename' }).press('Enter');
      await page.waitForSelector('dialog');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('Former customer');
      await page.keyboard.press('Enter');
      await showsHeading('Former customer');
      await page.getByRole('button', { name: 'Remove' }).press('Enter');
      await shows('This removes the account with 0 keys and its usage.');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await shows('Account Former customer removed.');
      await page.waitForSelector('main:focus');
    });

    test('shows who still calls getPet', async () => {
      await go('deprecations');
      const [caller = '', ...others] = await page.locator('section tbody tr').allInnerTexts();
      expect(caller).toMatch(/^shop\s+Key\s1\s+0\s+12\s+12\s+2 days ago/);
      expect(others).toHaveLength(1);
      expect(await page.innerText('.tiles')).toMatch(/still call it\s+1\s+1 key in the last month/);
    });

    test('shows the changes above in the audit, readably and filtered', async () => {
      await go('audit');
      const all = await page.innerText('main');
      expect(all).toMatch(/plan free → enterprise/);
      expect(all).toMatch(/status available → sold/);
      await search(NEW_SHOP);
      await page.waitForURL(`**${new URLSearchParams({ account: NEW_SHOP })}**`);
      await eventually(async () => !/sold/.test(await page.innerText('main')));
      expect(await page.innerText('main')).toMatch(/plan free → enterprise/);
      await page.getByPlaceholder('Change').fill('Set plan');
      await page.getByPlaceholder('Operator').fill('token');
      await eventually(async () => (await page.locator('.audit tbody tr').count()) === 1);
    });

    test('shows a viewer no button that would be refused', async () => {
      const buttons = () => page.getByRole('main').getByRole('button').allInnerTexts();
      await go('pets?status=pending');
      expect(await buttons()).toEqual(['Add a pet', 'Correct', 'Remove']);
      const { token } = await runJson(settings, 'operators create eve --viewer');
      await page.goto(`${origin}/#token=${token}`);
      await shows('Signed in as eve, a viewer');
      for (const place of ['pets?status=pending', 'keys']) {
        await go(place);
        expect(await buttons()).toEqual([]);
      }
    });

    test('loads nothing from elsewhere, and breaks no policy', () => {
      const addresses = requested.filter((url) => !url.startsWith('about:'));
      expect(addresses.filter((url) => !url.startsWith(`${origin}/`))).toEqual([]);
      expect(newErrors()).toEqual([]);
    });
  });
}
