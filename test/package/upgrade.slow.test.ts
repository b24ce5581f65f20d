import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { runJson, type Serving, serve } from '../support/command.ts';
import { type ApiCaller, apiCaller } from '../support/http.ts';
import { type Settings, sharedSettings } from '../support/store.ts';
import { newFile } from '../support/temporary-folder.ts';
import { eventually, withinOneDay } from '../support/time.ts';
import { installRelease } from './release.ts';

/** The schema of 1.1.0 is still the current one. The next migration makes it older too. */
const VERSIONS = [
  { version: '1.0.0', isOlderSchema: true, knowsReadOnlyKeys: false },
  { version: '1.1.0', isOlderSchema: false, knowsReadOnlyKeys: true },
];

/** The first creates a pet. The second reads, lists and replays it. */
async function expectShared(first: ApiCaller, second: ApiCaller) {
  const key = crypto.randomUUID();
  const created = await first.add('Rex', key);
  expect(created.status).toBe(201);
  const pet = await created.json();
  expect(await (await second.get(`/pets/${pet.id}`)).json()).toEqual(pet);
  const page = await second.get(`/pets?after=${pet.id - 1}&status=available`);
  expect(await page.json()).toEqual([pet]);
  const replay = await second.add('Rex', key);
  expect(replay.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await replay.json()).toEqual(pet);
}

async function stop(service: Serving) {
  expect(await service.stop()).toBe(0);
}

describe.each(VERSIONS)('from $version,', ({ version, isOlderSchema, knowsReadOnlyKeys }) => {
  const release = installRelease(version);

  /** The release neither starts nor runs a command, and says why. */
  async function expectRefusal(settings: Settings) {
    for (const line of ['serve', 'accounts list']) {
      const { exitCode, stderr } = await release.run(settings, line);
      expect(stderr).toMatch(/A newer version of Animal Store wrote .*\. Use that version\./);
      expect(exitCode).toBe(1);
    }
  }

  test(
    'an older instance keeps working after one of this version has migrated PostgreSQL',
    withinOneDay(async () => {
      // With one connection, every query meets what that connection has cached.
      const settings = { ...(await sharedSettings()), DATABASE_CONNECTIONS: '1' };
      await using old = await release.serve(settings);
      const { secret } = await release.makeKey(settings, 'acme');
      const onOld = apiCaller(old.started.api, secret);
      for (let count = 0; count < 10; count++) await expectShared(onOld, onOld);
      await using service = await serve(settings);
      const onNew = apiCaller(service.started.api, secret);
      const expectAllShared = async () => {
        await expectShared(onOld, onOld);
        await expectShared(onOld, onNew);
        await expectShared(onNew, onOld);
      };
      await expectAllShared();

      await using sql = new SQL(settings.DATABASE_URL, { max: 1 });
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      for (const { get, add } of [onOld, onNew]) {
        await eventually(async () => (await get('/pets')).ok && (await add()).ok);
      }
      await expectAllShared();

      const create = 'keys create acme --read-only';
      const reader = await runJson(settings, create);
      const read = async ({ started }: Serving) =>
        (await apiCaller(started.api, reader.secret).get('/pets')).status;
      expect([await read(old), await read(service)]).toEqual([knowsReadOnlyKeys ? 200 : 401, 200]);
      await stop(old);
      await stop(service);
      if (isOlderSchema) await expectRefusal(settings);
    }),
  );

  test(
    'a data file keeps pets, keys and counts, and an older version refuses it afterwards',
    withinOneDay(async () => {
      const { settings } = newFile();
      await using old = await release.serve(settings);
      const { secret } = await release.makeKey(settings, 'acme', 100);
      const pet = await (await apiCaller(old.started.api, secret).add()).json();
      await stop(old);
      await using service = await serve(settings);
      const page = await apiCaller(service.started.api, secret).get('/pets');
      expect(await page.json()).toEqual([pet]);
      expect(page.headers.get('X-RateLimit-Remaining')).toBe('98');
      await stop(service);
      if (isOlderSchema) await expectRefusal(settings);
    }),
  );
});
