import { SQL } from 'bun';
import { makeKey, serve } from '../test/support/command.ts';
import { type ApiCaller, apiCaller } from '../test/support/http.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import type { Settings } from '../test/support/store.ts';
import { newFile } from '../test/support/temporary-folder.ts';
import { eventually } from '../test/support/time.ts';
import { type Fault, type Finding, none, type Trial } from './fault.ts';
import { isIntactFile } from './service.ts';
import { Confirmed, findLosses, writeUntilGone } from './writers.ts';

const LONGEST_LOAD_MS = 300;

/**
 * Kills the service under write load, again and again, and counts lost pets and reused ids. `kill` may kill another
 * process before the service, such as the database.
 */
async function killRepeatedly(
  { amount, random }: Trial,
  settings: Settings,
  kill = async () => {},
): Promise<readonly Finding[]> {
  const { secret } = await makeKey(settings, 'writer');
  const confirmed = new Confirmed();
  const totals = { lost: 0, reused: 0 };
  let checkedUntil = 0;
  const check = async (caller: ApiCaller) => {
    const { lost, reused, lastId } = await findLosses(caller, confirmed, checkedUntil);
    totals.lost += lost;
    totals.reused += reused;
    checkedUntil = lastId;
    confirmed.clear();
  };
  for (let cycle = 0; cycle < amount; cycle++) {
    await using service = await serve(settings);
    const caller = apiCaller(service.started.api, secret);
    await check(caller);
    const writing = writeUntilGone(caller, `${cycle}`, confirmed);
    await eventually(() => confirmed.size > 0);
    await Bun.sleep(random() * LONGEST_LOAD_MS);
    await kill();
    service.kill('SIGKILL');
    await writing;
    // Ids only grow, so a new id that is not above all earlier ids was used before.
    for (const id of confirmed.keys()) if (id <= checkedUntil) totals.reused++;
  }
  await using service = await serve(settings);
  await check(apiCaller(service.started.api, secret));
  return [none('confirmed pets lost', totals.lost), none('ids used twice', totals.reused)];
}

export const killOnSqlite: Fault = {
  name: 'kill',
  title: '`kill -9` of the service under write load, on SQLite',
  unit: 'kills',
  amounts: { full: 200, short: 2 },
  async run(trial) {
    const { path, settings } = newFile();
    const findings = await killRepeatedly(trial, settings);
    const damaged = [path, `${path}-usage`].filter((file) => !isIntactFile(file)).length;
    return [...findings, none('damaged files', damaged)];
  },
};

export const killDatabase: Fault = {
  name: 'kill-database',
  title:
    '`kill -9` of PostgreSQL and the service under write load, with `synchronous_commit=off` on the server',
  unit: 'kills',
  amounts: { full: 50, short: 2 },
  async run(trial) {
    await using server = await TestPostgres.start({ fsync: 'on' });
    const url = await server.newDatabase();
    await using sql = new SQL(url, { max: 1 });
    await sql`ALTER SYSTEM SET synchronous_commit = off`;
    await sql`SELECT pg_reload_conf()`;
    const kill = async () => {
      server.signalAll('SIGKILL');
      await server.stop();
      await server.start();
    };
    return await killRepeatedly(trial, { DATABASE_URL: url }, kill);
  },
};
