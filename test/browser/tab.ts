import axe, { type Result } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { WAIT_TIMEOUT_MS } from '../support/time.ts';
import { launchBrowser } from './browser.ts';

/** Opens a page, in a new browser by default. */
export async function openTab(shared?: Browser) {
  const browser = shared ?? (await launchBrowser());
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  const page = await context.newPage();
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => errors.push(message.text()));
  return {
    browser,
    context,
    page,
    requested,
    /**
     * Script errors and console messages since the last call, such as a violated policy. Chromium also writes a line for
     * each failed request.
     */
    newErrors: () => errors.splice(0).filter((text) => !text.startsWith('Failed to load resource')),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** What axe finds, and whether the page and its parts fit the window. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<Result[]>(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)",
  );
  const isTooWide = await page.evaluate<boolean>(
    "[...document.querySelectorAll('html, nav, .key-field')].some((each) => each.scrollWidth > each.clientWidth)",
  );
  return [
    ...found.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${page.url()} has ${id}: ${html}`),
    ),
    ...(isTooWide ? [`${page.url()} does not fit`] : []),
  ];
}
