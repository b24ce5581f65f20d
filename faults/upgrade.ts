import { installRelease } from '../test/package/release.ts';
import { type Serving, serve } from '../test/support/command.ts';
import { TestPostgres } from '../test/support/postgres.ts';
import { TestRedis } from '../test/support/redis.ts';
import { type Fault, none } from './fault.ts';
import { LimitedLoad } from './limited-load.ts';
import { MixedLoad } from './mixed-load.ts';
import { awaitLongDay } from './redis.ts';

/** Every released version from which a deployment can be upgraded. */
const VERSIONS = ['1.0.0', '1.1.0', '1.2.0'];
const EITHER = new Intl.ListFormat('en', { type: 'disjunction' });
const LIMIT = 2_000;
const LONGEST_PAUSE_MS = 1_000;
/** How long clients still use an instance that has begun to stop, as behind a proxy that checks its health. */
const UNTIL_NOTICED_MS = 500;
const SETTINGS = { DRAIN_SECONDS: '1', INSTANCES: '3' };

export const rollingUpgrade: Fault = {
  name: 'upgrade',
  title: `Rolling upgrade of two instances of ${EITHER.format(VERSIONS)} under load, on PostgreSQL and Redis`,
  unit: 'upgrades',
  amounts: { full: 10 * VERSIONS.length, short: VERSIONS.length },
  async run({ amount, random }) {
    const releases = VERSIONS.map(installRelease);
    await using postgres = await TestPostgres.start();
    await using redis = await TestRedis.start();
    const pause = () => Bun.sleep(random() * LONGEST_PAUSE_MS);
    const unexpected: string[] = [];
    const totals = { refused: 0, lost: 0, doubled: 0, inexact: 0, failedStops: 0 };
    for (let count = 0; count < amount; count++) {
      await awaitLongDay();
      const release = releases[count % releases.length] as ReturnType<typeof installRelease>;
      await using resources = new AsyncDisposableStack();
      const settings = {
        ...SETTINGS,
        DATABASE_URL: await postgres.newDatabase(),
        REDIS_URL: await redis.newDatabase(),
      };
      /** The instances that clients use. */
      const services: Serving[] = [];
      const add = async (started: Promise<Serving>) => services.push(resources.use(await started));
      await add(release.serve(settings));
      const { secret } = await release.makeKey(settings, 'mixed');
      const limited = await release.makeKey(settings, 'limited', LIMIT);
      await add(release.serve(settings));
      await using load = new MixedLoad(services, secret, random);
      await using limitedLoad = new LimitedLoad(services, limited.secret);
      for (const stopped of [...services]) {
        await pause();
        await add(serve(settings));
        await pause();
        stopped.kill('SIGTERM');
        await Bun.sleep(UNTIL_NOTICED_MS);
        services.shift();
        if ((await stopped.exited) !== 0) totals.failedStops++;
      }
      await pause();
      await load.stop();
      await limitedLoad.untilUsedUp();
      const { lost, doubled } = await load.compare(services[0] as Serving);
      totals.refused += load.refusals;
      totals.lost += lost;
      totals.doubled += doubled;
      totals.inexact += Math.abs(limitedLoad.admitted - LIMIT);
      unexpected.push(...load.unexpected, ...limitedLoad.unexpected);
    }
    for (const each of unexpected.slice(0, 5)) console.error(each);
    return [
      none('failed requests', unexpected.length),
      none('requests refused with 503', totals.refused),
      none('confirmed pets lost', totals.lost),
      none('pets added twice', totals.doubled),
      none(
        `difference between admitted requests and the limit of ${LIMIT.toLocaleString('en')}`,
        totals.inexact,
      ),
      none('instances that did not stop cleanly', totals.failedStops),
    ];
  },
};
