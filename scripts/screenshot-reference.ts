import { launchBrowser } from '../test/support/browser.ts';
import { serve } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';

/** Takes the screenshot of the reference for the README. */
using folder = temporaryFolder();
await using service = await serve({ DATABASE_URL: `sqlite:${folder.path}/store.db` });
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1100, height: 1180 } });
await page.goto(`${service.started.listening}/docs`);
await page.fill('#api-key', service.started.demoKey ?? '');
await page.fill('#createPet-body', '{\n  "name": "Rex",\n  "categoryId": 9223372036854775807\n}');
await page.click('#createPet button');
await page.waitForSelector('#createPet .exchange:not([hidden])');
await page.evaluate("document.querySelector('#createPet').scrollIntoView()");
await page.screenshot({ path: 'docs/reference.png' });
await browser.close();
