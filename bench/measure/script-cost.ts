import { connectRedis } from '../../src/limiters/redis/connection.ts';
import { RedisCounts } from '../../src/limiters/redis/counts.ts';
import type { RedisLink, Word } from '../../src/limiters/redis/server.ts';
import type { TestRedis } from '../../test/support/redis.ts';

/** The smallest script with the commands that a request needs, on the same counts. */
const SMALLEST = `
  local time = redis.call('TIME')
  local saved = redis.call('HMGET', KEYS[1], 'minute_start', 'minute_used', 'day_start', 'day_used', 'created_at', ARGV[1])
  redis.call('HSET', KEYS[1], 'minute_used', (saved[2] or 0) + 1, 'day_used', (saved[4] or 0) + 1)
  return time`;

const STORE_ID = '0198c0de-1111-7111-8111-123456789abc';
const ACCOUNTS = 256;
const LIMIT = 1_000_000_000;
export const BATCH = 64;

/** Repetitions before each measurement, in which Lua also frees what another script has left. */
const WARM_UP = 2;
const REPETITIONS = 6;
/** A busy machine only adds time to a round, so most rounds are too slow. */
const PERCENTILE = 0.15;

/** Microseconds of Redis for each request. */
export interface ScriptCost {
  readonly smallest: number;
  /** The request has a script call alone. */
  readonly alone: number;
  /** `BATCH` requests share a script call. */
  readonly inBatch: number;
}

type Command = Word[];

/** Measures the script of the limiter in turn with the smallest one, by repeating the commands that an instance sends. */
export async function measureScript(redis: TestRedis, rounds: number): Promise<ScriptCost> {
  await redis.send('FLUSHALL');
  const link = await connectRedis(redis.url);
  using _link = { [Symbol.dispose]: () => link.close() };
  const sha1 = String(await link.send('', 'SCRIPT', ['LOAD', SMALLEST]));
  const costs: ScriptCost[] = [];
  while (costs.length < rounds) {
    // The commands name the current minute, so each round records them again.
    const alone = await record(link, 1);
    const inBatch = await record(link, BATCH);
    const smallest = alone.map(([, , name = '']) => [sha1, '1', name, 'penalty:1']);
    costs.push({
      smallest: await microseconds(link, smallest),
      alone: await microseconds(link, alone),
      inBatch: (await microseconds(link, inBatch)) / BATCH,
    });
  }
  const low = (name: keyof ScriptCost) =>
    costs.map((cost) => cost[name]).sort((a, b) => a - b)[Math.floor(rounds * PERCENTILE)] ?? 0;
  return { smallest: low('smallest'), alone: low('alone'), inBatch: low('inBatch') };
}

/** Counts requests of all accounts, and returns the words of each EVALSHA. */
async function record(link: RedisLink, batch: number): Promise<Command[]> {
  const commands: Command[] = [];
  const recording: RedisLink = {
    probeSubjects: [],
    onclose: () => {},
    slotOf: (name) => link.slotOf(name),
    tick: () => 0,
    close: () => {},
    send(name, command, words) {
      if (command === 'EVALSHA') commands.push(words);
      return link.send(name, command, words);
    },
  };
  const counts = new RedisCounts(recording, STORE_ID);
  for (let first = 0; first < ACCOUNTS; first += batch) {
    const decided = Array.from({ length: batch }, (_, place) => {
      const id = first + place;
      const caller = { subject: `account:${id}`, perMinute: LIMIT, perDay: LIMIT, id };
      return counts.take(caller, Date.now());
    });
    await Promise.all(decided);
  }
  return commands;
}

/** The microseconds that Redis spends on each of these calls. */
async function microseconds(link: RedisLink, commands: readonly Command[]): Promise<number> {
  for (let repetition = -WARM_UP; repetition < REPETITIONS; repetition++) {
    if (repetition === 0) await link.send('', 'CONFIG', ['RESETSTAT']);
    await Promise.all(commands.map((words) => link.send('', 'EVALSHA', words)));
  }
  const statistics = String(await link.send('', 'INFO', ['commandstats']));
  const [, calls, used] = /cmdstat_evalsha:calls=(\d+),usec=(\d+)/.exec(statistics) ?? [];
  return Number(used) / Number(calls);
}
