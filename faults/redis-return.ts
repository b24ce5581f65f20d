import { join } from 'node:path';
import { connectRedis } from '#limiters/redis/connection.ts';
import { RedisCounts } from '#limiters/redis/counts.ts';
import { killedWithTests } from '../test/support/programs.ts';
import { TestRedis } from '../test/support/redis.ts';
import { atMost, type Fault, none } from './fault.ts';
import type { LimiterProcessReport } from './limiter-process.ts';
import { awaitLongDay } from './redis.ts';

const INSTANCES = 4;
const STORE_ID = '00000001';
const LONGEST_SECONDS = 300;

/** Starts an instance. Resolves when it has counted a request of each account. */
async function startInstance(url: string, accounts: number) {
  const ready = Promise.withResolvers<void>();
  const report = Promise.withResolvers<LimiterProcessReport>();
  const words = [url, STORE_ID, String(INSTANCES), String(accounts)];
  const line = [process.execPath, join(import.meta.dir, 'limiter-process.ts'), ...words];
  const child = Bun.spawn([...killedWithTests('KILL'), ...line], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message) => (message === 'ready' ? ready.resolve() : report.resolve(message)),
    onExit(_, exitCode) {
      const error = new Error(`An instance exited with ${exitCode} before its report`);
      ready.reject(error);
      report.reject(error);
    },
  });
  await ready.promise;
  return {
    report: report.promise,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

/** Counts the accounts for which Redis has a smaller count than the number of requests before the restart. */
async function countLost(url: string, accounts: number): Promise<number> {
  const link = await connectRedis(url);
  using _link = { [Symbol.dispose]: () => link.close() };
  const counts = new RedisCounts(link, STORE_ID);
  let lost = 0;
  for (let account = 0; account < accounts; account++) {
    const found = await counts.getCounts(`account:${account}`);
    if ((found?.dayUsed ?? 0) < INSTANCES) lost++;
  }
  return lost;
}

export const redisReturn: Fault = {
  name: 'redis-return',
  title:
    'Redis restarted without its data, while four instances each know the counts of all accounts',
  unit: 'accounts',
  amounts: { full: 100_000, short: 500 },
  async run({ amount }) {
    await awaitLongDay(LONGEST_SECONDS);
    await using resources = new AsyncDisposableStack();
    const redis = resources.use(await TestRedis.start());
    const starts = Array.from({ length: INSTANCES }, () => startInstance(redis.url, amount));
    const instances = (await Promise.all(starts)).map((instance) => resources.use(instance));
    await redis.restart();
    const startedAtMs = performance.now();
    const reports = await Promise.all(instances.map(({ report }) => report));
    const seconds = (performance.now() - startedAtMs) / 1_000;
    const longest = (name: keyof LimiterProcessReport) =>
      Math.ceil(Math.max(...reports.map((report) => report[name])));
    return [
      none(
        'accounts whose count is lower than before the restart',
        await countLost(redis.url, amount),
      ),
      atMost(45, 'seconds until only Redis decided again', Math.ceil(seconds)),
      atMost(250, 'ms taken by the slowest request', longest('waitMs')),
      atMost(50, 'ms of CPU time in the longest turn of an event loop', longest('turnCpuMs')),
    ];
  },
};
