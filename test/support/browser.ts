import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { WAIT_TIMEOUT_MS } from './hang.ts';
import { requireProgram } from './programs.ts';

/** Keeps Chromium to itself: no first run, no updates, no calls home. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function requireChromium(): string {
  return requireProgram('chromium');
}

/** A real browser with its own profile, which is deleted with it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = requireChromium();
  return chromium.launch({ executablePath, args: ARGUMENTS, timeout: WAIT_TIMEOUT_MS });
}

/** A new page that waits as long as the tests do, not for half a minute as Playwright would. */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  return page;
}
