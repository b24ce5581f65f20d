import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { makeKey, serveHere } from '../support/command.ts';
import { newFile } from '../support/temporary-folder.ts';
import { openTab } from './tab.ts';

/** The reference of a running service, in a browser. */
export async function openReference() {
  await using starting = new AsyncDisposableStack();
  const { settings } = newFile();
  const { started } = starting.use(await serveHere(settings));
  const { api, listening: origin } = started;
  const { secret: largeKey } = await makeKey(settings, 'large');
  const { secret: key } = await makeKey(settings, 'reader', 'pro');
  const tab = starting.use(await openTab());
  const { page, requested } = tab;
  const opened = starting.move();
  return {
    ...tab,
    api,
    origin,
    key,
    /** The key of an account with high limits, whose note about limits is long. */
    largeKey,
    /** Loads a page again, even if only the fragment differs. */
    async go(path: string): Promise<void> {
      await page.goto('about:blank');
      expect((await page.goto(origin + path))?.status()).toBe(200);
    },
    enterKey: (text: string) => page.fill('.send input', text),
    send: (operation: string) => sendOn(page, operation),
    /** The requests to the API. */
    calls: () => requested.filter((url) => url.startsWith(api)),
    sample: (operation: string) => page.innerText(`#${operation} .panel > pre`),
    announced: (operation: string) => page.innerText(`#${operation} [role=status]`),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Sends the request of an operation, and returns the response as the panel shows it. */
export async function sendOn(page: Page, operation: string): Promise<string> {
  await page.click(`#${operation} [type=submit]`);
  await page.waitForSelector(`#${operation} .response[aria-busy=false]`);
  return page.innerText(`#${operation} .response`);
}
