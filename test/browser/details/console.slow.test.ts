import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { runLine } from '../../support/command.ts';
import { eventually } from '../../support/time.ts';
import { HOUR_MS, openConsole, TOKEN } from '../console-page.ts';
import { violations } from '../tab.ts';

const PLACES = [
  'now',
  'requests',
  'accounts?search=12',
  'keys',
  'pets',
  'deprecations',
  'audit',
  'accounts/shop',
];

const opened = await openConsole();
const { page, context, origin, go, signIn, openDialog, confirm, shows, hides } = opened;
const { showsHeading, showsRow, search, newErrors } = opened;
afterAll(() => opened[Symbol.asyncDispose]());

describe('signing in', () => {
  test('a link with the token signs in, removes the token from the address, and lets no script read it', async () => {
    await page.goto(`${origin}/#token=${TOKEN}`);
    await page.waitForSelector('text=Sign out');
    expect(page.url()).toBe(`${origin}/#/now`);
    expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).toBe('{}');
  });

  test('neither a link with a wrong token nor a failed sign-out ends the session', async () => {
    await page.goto('about:blank');
    await page.goto(`${origin}/#token=wrong`);
    await shows('The token is wrong or revoked.');
    await context.setOffline(true);
    await page.click('text=Sign out');
    await shows('You are still signed in. The service does not respond.');
    await page.click('text=Close');
    await hides('You are still signed in.');
    await context.setOffline(false);
  });

  test('signing out in one tab does so in the others', async () => {
    await using other = await context.newPage();
    await other.goto(`${origin}/#/audit`);
    await other.click('text=Sign out');
    await shows('Your session has ended.');
    await signIn();
  });

  test('without a session, every view asks for the token, and opens after the sign-in', async () => {
    await page.click('text=Sign out');
    await page.waitForSelector('[name=token]');
    await page.goto(`${origin}/#/audit?since=7d`);
    await page.reload();
    await signIn();
    await showsHeading('Audit');
    expect(page.url()).toEndWith('#/audit?since=7d');
  });
});

test('Now says that the connection is lost, and recovers without a new sign-in', async () => {
  await go('now');
  await shows('Live data since ');
  // The first sample comes five seconds after the start of the service.
  const ready = page.locator('.tiles', { hasText: 'Ready' });
  await ready.waitFor();
  await context.setOffline(true);
  await shows('Connection lost.');
  expect(await page.innerText('.tiles')).not.toMatch(/Ready|Working/);
  await context.setOffline(false);
  await hides('Connection lost.');
  await ready.waitFor();
  // Chromium writes a message for each failed attempt.
  newErrors();
});

describe('Accounts', () => {
  test('finds an account by name, keeps the search in the URL, and shows one page at a time', async () => {
    await go('accounts');
    await shows('1–50 of 121');
    await page.click('text=Next page');
    await shows('51–100 of 121');
    await search('077');
    await shows('1–1 of 1');
    expect(page.url()).toContain('search=077');
    await page.reload();
    await page.click('text=customer-077');
    await showsHeading('customer-077');
    await go('accounts?sort=-name');
    await page.getByRole('columnheader', { name: 'Account' }).getByRole('button').press('Enter');
    await shows('customer-001');
    expect(await page.locator('[aria-sort=ascending]').innerText()).toBe('Account');
    await go('accounts');
    await search('nobody-has-this-name');
    await page.getByLabel('State').selectOption('active');
    await shows('No matches');
    expect(page.url()).toContain('state=active');
  });

  test('says that it is loading, and shows an error with a button that tries again', async () => {
    const waiting = Promise.withResolvers<void>();
    await page.route(
      '**/api/accounts',
      async (route) => {
        await waiting.promise;
        await route.fulfill({ status: 503, json: { error: 'The store does not respond.' } });
      },
      { times: 1 },
    );
    await page.goto(`${origin}/#/now`);
    await page.goto(`${origin}/#/accounts`);
    await page.waitForSelector('.waiting:has-text("Loading")');
    waiting.resolve();
    await shows('The store does not respond.');
    await page.click('text=Try again');
    await shows('1–50 of 121');
  });
});

describe('an account', () => {
  beforeAll(() => go('accounts/shop'));

  test('gets a key whose command works, copies it, and is found by it', async () => {
    await openDialog('Create key');
    await page.fill('dialog [name=label]', 'counter 1');
    await page.fill('dialog [name=expires]', '2099-01-31');
    await page.selectOption('dialog [name=scope]', 'Read-only');
    await page.click('dialog button[type=submit]');
    await shows('Copy it now.');
    await page.keyboard.press('Escape');
    const [shown = '', command = ''] = await page.locator('dialog code').allInnerTexts();
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await eventually(async () => (await page.evaluate('navigator.clipboard.readText()')) === shown);
    const { stdout } = await runLine(['sh', '-c', `${command} --silent`], {});
    expect(stdout).toStartWith('HTTP/1.1 200 OK');
    await page.click('text=I have copied it');
    await page.locator(':focus', { hasText: 'Create key' }).waitFor();
    await shows('counter 1');
    await shows(', read-only');
    await page.getByTitle('31 Jan 2099, 23:59 UTC').waitFor();
    expect(await page.innerText('main')).not.toContain(shown);
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await go('accounts');
    await search(` ${shown}`);
    await showsHeading('shop');
    await shows('of shop.');
    expect(addresses).toContain(`${origin}/api/keys/find`);
    expect(`${addresses}`).not.toContain(shown.slice(4));
    expect(page.url()).toEndWith('#/accounts/shop');
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByRole('link', { name: 'customer-001' }).waitFor();
  });

  test('is not found by a wrong key, and the notice stays while the list is shown again', async () => {
    await go('accounts?search=077');
    await search(`ask_${'x'.repeat(38)}`);
    await page.waitForURL('**/#/accounts');
    await shows('1–50 of 121');
    await shows('This is not a whole key.');
    await go('accounts/shop');
  });

  test('rotates, changes and revokes a key, and sorts its keys', async () => {
    await openDialog('Rotate key 2');
    await page.selectOption('dialog select', 'In an hour');
    await page.click('dialog button[type=submit]');
    await page.click('text=I have copied it');
    await shows(', replaced by key 3');
    for (const label of ['', 'counter 3']) {
      await openDialog('Change key 3');
      await page.fill('dialog [name=label]', label);
      await confirm();
      await showsRow(`${label || 'No label'} Key 3`);
    }
    await openDialog('Revoke key 3');
    await confirm();
    await showsRow('Revoked');
    const sortBy = (title: string) =>
      page.getByRole('button', { name: title, exact: true }).click();
    const ids = async () =>
      (await page.locator('.list tbody .sub').allInnerTexts()).join().match(/(?<=Key )\d/g);
    await sortBy('Key');
    await sortBy('Key');
    expect(await ids()).toEqual(['3', '2', '1']);
    await sortBy('Expires');
    expect(await ids()).toEqual(['2', '3', '1']);
  });

  test('is suspended and resumed, and holding Enter down does not send an empty form', async () => {
    await page.getByRole('button', { name: 'Suspend' }).focus();
    await page.keyboard.down('Enter');
    await page.waitForSelector('dialog');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.fill('dialog input', 'unpaid');
    await confirm();
    await shows(': unpaid');
    await openDialog('Resume');
    await confirm();
    await page.locator('h1 >> text=Active').waitFor();
  });
});

test('with forced colors, charts and legends keep their colors, and the menu shows the current page', async () => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.setViewportSize({ width: 900, height: 844 });
  await go('accounts/shop');
  await page.waitForSelector('canvas');
  await eventually(() =>
    page.evaluate<boolean>(`(() => {
      const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, 999, 99);
      const count = (selector, color) =>
        new Set([...document.querySelectorAll(selector)].map((each) => getComputedStyle(each)[color])).size;
      return count('.swatch', 'backgroundColor') === 4 && count('.menu a', 'fontWeight') === 2 && data.some((red, at) => at % 4 === 0 && red !== data[at + 1]);
    })()`),
  );
  await page.emulateMedia({ forcedColors: 'none' });
});

test('Pets shows one page at a time, and says when nothing matches', async () => {
  await Promise.all(Array.from({ length: 60 }, () => opened.addPet({ name: 'Tom' })));
  await go('pets?status=available');
  const rows = () => page.locator('.pets tbody tr').count();
  expect(await rows()).toBe(50);
  await openDialog(`Remove pet ${await page.locator('.list td').first().innerText()}`);
  await confirm();
  await page.waitForSelector('main:focus');
  await page.click('text=Next page');
  await eventually(async () => (await rows()) === 9);
  await page.goBack();
  await eventually(async () => (await rows()) === 50);
  await page.getByLabel('Status').selectOption('pending');
  await shows('No matches');
  await search('404');
  await shows('Pet 404 does not exist.');
  expect(await page.locator('.list').count()).toBe(0);
  await page.waitForURL('**/#/pets?id=404');
  await page.getByLabel('Account').fill('nobody');
  await page.waitForURL('**/#/pets?account=nobody');
  await eventually(async () => (await page.inputValue('input[type=search]')) === '');
});

test('Deprecations shows brownouts, with times by the clock of the service', async () => {
  await go('deprecations');
  const text = await page.innerText('main');
  expect(text).toContain('No brownouts');
  expect(text).toMatch(/set BROWNOUTS, .* and restart every instance/);
  const start = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '');
  await opened.restart({ BROWNOUTS: `2030-11-30T12:00Z/1h,${start}/30m` });
  await shows('Your session has ended.');
  await signIn();
  await using other = await context.newPage();
  await other.clock.install({ time: Date.now() + 24 * HOUR_MS });
  await other.goto(`${origin}/#/deprecations`);
  await other.waitForSelector('text=/in 2\\d minutes/');
  const rows = await other.locator('section:last-of-type tbody tr').allInnerTexts();
  expect(rows[0]).toContain('Active');
  expect(rows[1]).toMatch(/2030-11-30T12:00:00Z\s[^Z]+2030-11-30T13:00:00Z\s+Planned/);
  // Chromium writes a message for each failed attempt.
  newErrors();
});

test.each([
  [1280, 'light'],
  [320, 'dark'],
] as const)('every page is accessible and fits %i pixels, %s', async (width, colorScheme) => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 844 });
  for (const place of PLACES) {
    await go(place);
    expect(await violations(page)).toEqual([]);
  }
  await openDialog('Change plan');
  expect(await violations(page)).toEqual([]);
  expect(newErrors()).toEqual([]);
});
