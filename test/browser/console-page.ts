import { Database } from 'bun:sqlite';
import type { Browser } from 'playwright-core';
import { makeKey, serveHere } from '../support/command.ts';
import { apiCaller } from '../support/http.ts';
import { freePort } from '../support/programs.ts';
import { newFile } from '../support/temporary-folder.ts';
import { openTab } from './tab.ts';

export const TOKEN = 'a-token-for-the-tests-of-the-console';
export const HOUR_MS = 3_600_000;
const ACCOUNTS = 120;

/** The console of a running service, in a browser. The account "shop" has called getPet. */
export async function openConsole(browser?: Browser) {
  await using starting = new AsyncDisposableStack();
  const file = newFile();
  const settings = {
    ...file.settings,
    OPERATOR_TOKEN: TOKEN,
    // Tests restart the service at the same address.
    OPERATOR_PORT: String(await freePort()),
  };
  const { secret } = await makeKey(settings, 'shop');
  fill(file.path);
  let service = await serveHere(settings);
  starting.defer(() => service[Symbol.asyncDispose]());
  const origin = service.started.operator;
  const tab = starting.use(await openTab(browser));
  const { page } = tab;
  const opened = starting.move();
  return {
    ...tab,
    origin,
    settings,
    /** Restarts the service at the same address, with other settings. */
    async restart(changes: Record<string, string>): Promise<void> {
      await service[Symbol.asyncDispose]();
      service = await serveHere({ ...settings, ...changes });
    },
    /** Opens a place of the console by its link, and waits for its data. */
    async go(place: string): Promise<void> {
      // Otherwise only the fragment changes, and the last place is still shown for a moment.
      await page.goto('about:blank');
      await page.goto(`${origin}/#/${place}`);
      await page.waitForSelector('main h1');
      await page.waitForSelector('.waiting', { state: 'detached' });
    },
    async signIn(token = TOKEN): Promise<void> {
      await page.fill('[name=token]', token);
      await page.keyboard.press('Enter');
    },
    /** Presses the button that opens a dialog. */
    async openDialog(button: string): Promise<void> {
      await page.getByRole('button', { name: button }).first().click();
      await page.waitForSelector('dialog');
    },
    /** Confirms the open dialog, and waits until it has closed. */
    async confirm(): Promise<void> {
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('dialog', { state: 'detached' });
    },
    /** Calls the API with the key of "shop" or another one. */
    call: (key = secret) => apiCaller(service.started.api, key).get('/pets'),
    addPet: (pet: object) =>
      apiCaller(service.started.api, secret).post(JSON.stringify({ categoryId: 1, ...pet })),
    shows: (text: string) => page.getByText(text).first().waitFor(),
    hides: (text: string) => page.getByText(text).waitFor({ state: 'detached' }),
    showsHeading: (name: string) => page.getByRole('heading', { name }).waitFor(),
    showsRow: (name: string) => page.getByRole('row', { name }).waitFor(),
    search: (text: string) => page.fill('input[type=search]', text),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Accounts, twelve requests of "shop" to getPet two days ago, and one of another key 60 days ago. */
function fill(file: string) {
  using database = new Database(file);
  database.run('UPDATE api_keys SET created_at = 1700000000000');
  const insert = database.prepare(
    "INSERT INTO accounts (name, plan, created_at) VALUES (?, 'free', 1700000000000)",
  );
  for (let number = 1; number <= ACCOUNTS; number++) {
    insert.run(`customer-${String(number).padStart(3, '0')}`);
  }
  for (const [key, requests, daysAgo] of [
    [1, 12, 2],
    [99, 1, 60],
  ] as const) {
    const hour = Math.floor(Date.now() / HOUR_MS - 24 * daysAgo) * HOUR_MS;
    database.run(
      `INSERT INTO usage_periods VALUES (1, ${hour}, ${key}, 'getPet', ${requests}, 0, 0, 0, 0, 0, 1, ${hour})`,
    );
  }
}
