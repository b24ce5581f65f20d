import { join } from 'node:path';
import { BAN_RULES } from '../src/domain/ban.ts';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../src/domain/durations.ts';
import { apiCaller } from '../test/support/api-caller.ts';
import { eventually, type Serving, serve } from '../test/support/command.ts';
import { FakeTime } from '../test/support/fake-time.ts';
import { openStore } from '../test/support/open-store.ts';
import { postgresForSuites } from '../test/support/postgres.ts';
import { TestRedis } from '../test/support/redis.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { type Fault, type Finding, none, type Trial } from './fault.ts';
import { createLimitedKey } from './limited-key.ts';
import { pick } from './random.ts';

const LIMIT = 5;
const PLENTY = 1_000_000;
const STEPS = 4;
const AT_ONCE = 20;
const BANNED = 'api_key_banned';
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
class ClockSteps {
  readonly #site: Site;
  readonly #random: () => number;
  #secret = '';
  #now = 0;
  #reopened = 0;
  #shortened = 0;
  #lockedOut = 0;
  #unexpected = 0;

  constructor(site: Site, random: () => number) {
    this.#site = site;
    this.#random = random;
  }

  async run({ amount, step }: Trial): Promise<readonly Finding[]> {
    for (let round = 0; round < amount; round++) {
      const kind = kindAt(round);
      this.#secret = this.#site.secrets[round] ?? '';
      this.#moveTo(START_SECONDS + Math.floor(this.#random() * MORNING_SECONDS));
      await this.#useUp();
      if (kind === 'ban') await this.#tryBan();
      else await this.#tryWindow(kind);
      step();
    }
    return [
      none('responses other than 200 and 429', this.#unexpected),
      none('windows reopened', this.#reopened),
      none('bans shortened', this.#shortened),
      none('requests locked out for longer than a window or a ban', this.#lockedOut),
    ];
  }

  async #tryWindow(kind: 'minute' | 'day'): Promise<void> {
    const windowSeconds = kind === 'minute' ? MINUTE_SECONDS : DAY_SECONDS;
    for (let count = 0; count < STEPS; count++) {
      await this.#expectClosed(windowSeconds);
      const seconds = pick(STEP_SECONDS, this.#random);
      if (this.#random() < 0.5) {
        this.#moveBy(-seconds);
        await this.#expectClosed(windowSeconds);
        this.#moveBy(seconds);
      } else {
        this.#moveBy(seconds);
        if (seconds >= windowSeconds) await this.#useUp();
      }
    }
    await this.#expectClosed(windowSeconds);
    this.#moveBy(-pick(STEP_SECONDS, this.#random));
    const { status, retryAfterSeconds } = await this.#expectClosed(windowSeconds);
    this.#moveBy(retryAfterSeconds);
    if (status !== 200 && (await this.#send()).status !== 200) this.#lockedOut++;
  }

  async #tryBan(): Promise<void> {
    // An instance learns the time of Redis from the first responses after a step.
    await this.#isBannedAfterMore();
    await this.#isBannedAfterMore();
    // Only refusals more than a second after the first one are strikes.
    this.#moveBy(2);
    await eventually(() => this.#isBannedAfterMore());
    const seconds = pick(STEP_SECONDS, this.#random);
    this.#moveBy(-seconds);
    if ((await this.#send()).code !== BANNED) this.#shortened++;
    this.#moveBy(seconds + BAN_RULES.firstBanSeconds - 1);
    if ((await this.#send()).code !== BANNED) this.#shortened++;
    this.#moveBy(1);
    if ((await this.#send()).code === BANNED) this.#lockedOut++;
  }

  async #isBannedAfterMore(): Promise<boolean> {
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, () => this.#send()));
    return outcomes.some(({ code }) => code === BANNED);
  }

  async #useUp(): Promise<void> {
    for (let count = 0; count < LIMIT; count++) {
      if ((await this.#send()).status !== 200) this.#lockedOut++;
    }
  }

  async #expectClosed(longestSeconds: number): Promise<Outcome> {
    const outcome = await this.#send();
    if (outcome.status === 200) this.#reopened++;
    else if (outcome.retryAfterSeconds > longestSeconds) this.#lockedOut++;
    return outcome;
  }

  async #send(): Promise<Outcome> {
    const { get } = apiCaller(pick(this.#site.services, this.#random).started.api, this.#secret);
    const response = await get('/pets?limit=1');
    const { code = '' } = (await response.json()) as { code?: string };
    if (response.status !== 200 && response.status !== 429) this.#unexpected++;
    const retryAfterSeconds = Number(response.headers.get('Retry-After'));
    return { status: response.status, code, retryAfterSeconds };
  }

  #moveBy(seconds: number): void {
    this.#moveTo(this.#now + seconds);
  }

  #moveTo(seconds: number): void {
    this.#now = seconds;
    this.#site.setClock(seconds);
  }
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
    const site = { services: [service], secrets, setClock };
    return await new ClockSteps(site, trial.random).run(trial);
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
        time.set((seconds + pick(offsets, trial.random)) * 1000);
      }
    };
    return await new ClockSteps({ services, secrets, setClock }, trial.random).run(trial);
  },
};
