import { launchBrowser } from '../test/support/browser.ts';
import { makeKey, serve } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

/** Takes the screenshots of the reference for the README, after adding a pet. */

/** The address that readers of the README have. The service may be on any port. */
const SHOWN = 'http://127.0.0.1:8080';
const CATEGORY = '9223372036854775807';

using folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${folder.path}/store.db`, PUBLIC_URL: SHOWN };
const { secret } = await makeKey(settings, 'shop', 'free');
await using service = await serve(settings);
const browser = await launchBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 860 } });
  await page.route(`${SHOWN}/**`, async (route) => {
    const url = route.request().url().replace(SHOWN, service.started.listening);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.goto(`${SHOWN}/docs#createPet`);
  await page.fill('#api-key', secret);
  await page.fill('#createPet-categoryId', CATEGORY);
  await page.click('#createPet [type=submit]');
  await page.waitForSelector('#createPet .response[aria-busy=false] details');
  // The keyboard leaves the field, and the page goes back to the section.
  await page.evaluate("document.activeElement.blur(); location.hash = ''");
  await page.evaluate("location.hash = 'createPet'");
  await page.waitForSelector('#navigation [aria-current][href$="#createPet"]');
  // Otherwise Chromium takes the picture in the middle of the scroll.
  await page.waitForTimeout(500);
  await page.screenshot({ path: `docs/reference-${colorScheme}.png` });
  await page.close();
}
await browser.close();
