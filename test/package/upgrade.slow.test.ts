import { describe, expect, test } from 'bun:test';
import { type Serving, serve } from '../support/command.ts';
import { apiCaller } from '../support/http.ts';
import { BACKENDS, newSettings, type Settings } from '../support/store.ts';
import { withinOneDay } from '../support/time.ts';
import { installRelease } from './release.ts';

async function stop(service: Serving) {
  expect(await service.stop()).toBe(0);
}

/** That instances of both versions can run side by side is shown by the attack "upgrade". */
describe.each(['1.0.0', '1.1.0'])('from %s,', (version) => {
  const release = installRelease(version);

  /** The release neither starts nor runs a command, and says why. */
  async function expectRefusal(settings: Settings) {
    for (const line of ['serve', 'accounts list']) {
      const { exitCode, stderr } = await release.run(settings, line);
      expect(stderr).toMatch(/A newer version of Animal Store wrote .*\. Use that version\./);
      expect(exitCode).toBe(1);
    }
  }

  test.each(BACKENDS)(
    'a store on %s keeps pets, keys and counts, and an older version refuses it afterwards',
    (backend) =>
      withinOneDay(async () => {
        const settings = await newSettings(backend);
        await using old = await release.serve(settings);
        const { secret } = await release.makeKey(settings, 'acme', 100);
        const pet = await (await apiCaller(old.started.api, secret).add()).json();
        await stop(old);
        await using service = await serve(settings);
        const page = await apiCaller(service.started.api, secret).get('/pets');
        expect(await page.json()).toEqual([pet]);
        expect(page.headers.get('X-RateLimit-Remaining')).toBe('98');
        await stop(service);
        await expectRefusal(settings);
      })(),
  );
});
