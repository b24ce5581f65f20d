import { join } from 'node:path';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../src/domain/durations.ts';
import { apiCaller } from '../test/support/api-caller.ts';
import { type Serving, serve } from '../test/support/command.ts';
import { FakeTime } from '../test/support/fake-time.ts';
import { openStore } from '../test/support/open-store.ts';
import { postgresForSuites } from '../test/support/postgres.ts';
import { TestRedis } from '../test/support/redis.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { type Fault, type Finding, none, type Trial } from './fault.ts';
import { createLimitedKey } from './limited-key.ts';

const LIMIT = 5;
const PLENTY = 1_000_000;
const STEPS = 4;
/** A key is banned after far fewer, if they take more than a second. */
const REQUESTS_TO_BAN = 300;
const AT_ONCE = 20;
const FIRST_BAN_SECONDS = 5 * MINUTE_SECONDS;
/** In the morning, so that an hour later is the same day. */
const START_SECONDS = Date.UTC(2027, 2, 10, 6) / 1000;
const MORNING_SECONDS = 6 * HOUR_SECONDS;
const STEP_SECONDS = [HOUR_SECONDS, DAY_SECONDS] as const;

/** The window that an account uses up. The last one also gets its key banned. */
const KINDS = ['minute', 'day', 'ban'] as const;
type Kind = (typeof KINDS)[number];

/** Instances, the clock that decides, and keys of new accounts. */
interface Site {
  readonly services: readonly Serving[];
  readonly secrets: readonly string[];
  setClock(seconds: number): void;
}

interface Outcome {
  readonly status: number;
  readonly code: string;
  /** 0 if the request is admitted. */
  readonly retryAfterSeconds: number;
}

function kindAt(round: number): Kind {
  return KINDS[round % KINDS.length] as Kind;
}

function limitsOf(kind: Kind) {
  return kind === 'minute'
    ? { perMinute: LIMIT, perDay: PLENTY }
    : { perMinute: PLENTY, perDay: LIMIT };
}

/** Moves the clock of a site back and forth, for one account after the other. */
async function stepClocks(
  { amount, random, step }: Trial,
  { services, secrets, setClock }: Site,
): Promise<readonly Finding[]> {
  const totals = { reopened: 0, shortened: 0, lockedOut: 0, unexpected: 0 };
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

  for (let round = 0; round < amount; round++) {
    const kind = kindAt(round);
    let now = START_SECONDS + Math.floor(random() * MORNING_SECONDS);
    const send = async (): Promise<Outcome> => {
      const { get } = apiCaller(pick(services).started.api, secrets[round] ?? '');
      const response = await get('/pets?limit=1');
      const { code = '' } = (await response.json()) as { code?: string };
      if (response.status !== 200 && response.status !== 429) totals.unexpected++;
      const retryAfterSeconds = Number(response.headers.get('Retry-After'));
      return { status: response.status, code, retryAfterSeconds };
    };
    const useUp = async () => {
      for (let count = 0; count < LIMIT; count++) {
        if ((await send()).status !== 200) totals.lockedOut++;
      }
    };
    const expectClosed = async (longestSeconds: number): Promise<Outcome> => {
      const outcome = await send();
      if (outcome.status === 200) totals.reopened++;
      else if (outcome.retryAfterSeconds > longestSeconds) totals.lockedOut++;
      return outcome;
    };

    setClock(now);
    await useUp();
    const windowSeconds = kind === 'minute' ? MINUTE_SECONDS : DAY_SECONDS;
    await expectClosed(windowSeconds);
    if (kind === 'ban') {
      // Only refusals more than a second after the first one are strikes.
      now += 2;
      setClock(now);
      for (let sent = 0; sent < REQUESTS_TO_BAN; sent += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, send));
      }
      now -= pick(STEP_SECONDS);
      setClock(now);
      const { code, retryAfterSeconds } = await send();
      if (code !== 'api_key_banned') totals.shortened++;
      if (retryAfterSeconds > FIRST_BAN_SECONDS) totals.lockedOut++;
      setClock(now + FIRST_BAN_SECONDS);
      if ((await send()).code === 'api_key_banned') totals.lockedOut++;
    } else {
      for (let count = 0; count < STEPS; count++) {
        const seconds = pick(STEP_SECONDS);
        if (random() < 0.5) {
          setClock(now - seconds);
          await expectClosed(windowSeconds);
          setClock(now);
          await expectClosed(windowSeconds);
        } else {
          const isNewWindow = kind === 'minute' || seconds === DAY_SECONDS;
          now += seconds;
          setClock(now);
          if (isNewWindow) await useUp();
          await expectClosed(windowSeconds);
        }
      }
      now -= pick(STEP_SECONDS);
      setClock(now);
      const { retryAfterSeconds } = await expectClosed(windowSeconds);
      setClock(now + retryAfterSeconds);
      if (retryAfterSeconds > 0 && (await send()).status !== 200) totals.lockedOut++;
    }
    step();
  }
  return [
    none('responses other than 200 and 429', totals.unexpected),
    none('windows reopened', totals.reopened),
    none('bans shortened', totals.shortened),
    none('requests locked out for longer than a window or a ban', totals.lockedOut),
  ];
}

/** Creates a key for each round. */
async function createKeys(url: string, amount: number): Promise<string[]> {
  await using store = await openStore(url, 1);
  const secrets: string[] = [];
  for (let round = 0; round < amount; round++) {
    secrets.push(await createLimitedKey(store, limitsOf(kindAt(round))));
  }
  return secrets;
}

export const clockSteps: Fault = {
  name: 'clocks',
  title: 'Steps of the clock by an hour and a day, back and forth, on SQLite',
  unit: 'accounts',
  amounts: { full: 300, short: 6 },
  async run(trial) {
    using folder = temporaryFolder();
    const DATABASE_URL = `sqlite:${join(folder.path, 'store.db')}`;
    const secrets = await createKeys(DATABASE_URL, trial.amount);
    using time = new FakeTime(START_SECONDS * 1000);
    await using service = await serve({ DATABASE_URL, ...time.environment });
    const setClock = (seconds: number) => time.set(seconds * 1000);
    return await stepClocks(trial, { services: [service], secrets, setClock });
  },
};

export const clocksOfInstances: Fault = {
  name: 'clocks-shared',
  title: 'Steps of the clock of Redis, and two instances whose clocks differ by up to two days',
  unit: 'accounts',
  amounts: { full: 300, short: 6 },
  async run(trial) {
    await using resources = new AsyncDisposableStack();
    const postgres = resources.use(await postgresForSuites());
    const DATABASE_URL = await postgres.newDatabase();
    const secrets = await createKeys(DATABASE_URL, trial.amount);
    const newTime = () => resources.use(new FakeTime(START_SECONDS * 1000));
    const timeOfRedis = newTime();
    const redis = resources.use(await TestRedis.startAt(timeOfRedis));
    const times = [newTime(), newTime()];
    const started = times.map(({ environment }) =>
      serve({ DATABASE_URL, REDIS_URL: redis.url, INSTANCES: '2', ...environment }),
    );
    const services = (await Promise.all(started)).map((service) => resources.use(service));
    const offsets = STEP_SECONDS.flatMap((seconds) => [-seconds, 0, seconds]);
    const setClock = (seconds: number) => {
      timeOfRedis.set(seconds * 1000);
      for (const time of times) {
        const offset = offsets[Math.floor(trial.random() * offsets.length)] ?? 0;
        time.set((seconds + offset) * 1000);
      }
    };
    return await stepClocks(trial, { services, secrets, setClock });
  },
};
