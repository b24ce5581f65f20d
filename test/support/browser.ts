import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { WAIT_TIMEOUT_MS } from './hang.ts';
import { requireProgram } from './programs.ts';

/** Stops Chromium from showing its first-run page and from contacting its vendor. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real browser with a temporary profile. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = requireProgram('chromium');
  return chromium.launch({ executablePath, args: ARGUMENTS, timeout: WAIT_TIMEOUT_MS });
}

/** A new page with the time limit of our tests instead of Playwright's 30 seconds. */
export async function newPage(browser: Browser, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(WAIT_TIMEOUT_MS);
  return page;
}
