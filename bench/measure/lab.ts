import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TestPostgres } from '../../test/support/postgres.ts';
import { freePort } from '../../test/support/programs.ts';
import { TestRedis } from '../../test/support/redis.ts';
import type { Contender } from '../contenders/contender.ts';
import { DATA } from './checkout.ts';
import type * as FixtureModule from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { type Server, startServer } from './server.ts';

/** Runs a command with a lab. Prints its error in one line, and cleans up after a signal too. */
export async function runInLab(command: (lab: Lab) => Promise<void>): Promise<void> {
  await using lab = new Lab();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => lab[Symbol.asyncDispose]().finally(() => process.exit(130)));
  }
  try {
    requirePrograms('wrk', 'nginx', 'setpriv');
    await command(lab);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

function requirePrograms(...names: string[]): void {
  const missing = names.filter((name) => Bun.which(name) === null);
  if (missing.length > 0) throw new Error(`The benchmark needs ${missing.join(' and ')}.`);
}

const OPERATOR_TOKEN = 'the-token-of-benchmarks';

interface SharedServers {
  readonly postgres: TestPostgres;
  readonly redis: TestRedis;
}

export type StoreSettings = Readonly<Record<string, string>>;

/** Starts contenders on copies of the fixtures. Disposing of the lab stops them and removes their files. */
export class Lab implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly #folder: string;
  #servers: SharedServers | undefined;

  constructor() {
    // The temporary folder of a machine may be in memory instead of on a disk.
    mkdirSync(DATA, { recursive: true });
    this.#folder = mkdtempSync(join(DATA, 'run-'));
    this.#resources.defer(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  newFolder(name: string): string {
    return mkdtempSync(join(this.#folder, `${name}-`));
  }

  /**
   * `response` is for servers that always send the same response. `store` is the environment of servers that share a
   * store; without it, each server gets a copy of its fixture.
   */
  async start(contender: Contender, response = '', store?: StoreSettings): Promise<Server> {
    const settings = {
      PORT: String(await freePort()),
      OPERATOR_PORT: String(await freePort()),
      OPERATOR_TOKEN,
      // Requests without a valid key count against the address that the load sends.
      TRUSTED_PROXIES: '1',
      FOLDER: this.newFolder(contender.name),
      RESPONSE: response,
      ...(store ?? (await this.newStore(contender))),
    };
    return startServer(contender, settings);
  }

  /** Starts one PostgreSQL and one Redis, which all servers share. */
  async servers(): Promise<SharedServers> {
    this.#servers ??= {
      postgres: this.#resources.use(await TestPostgres.start()),
      redis: this.#resources.use(await TestRedis.start()),
    };
    return this.#servers;
  }

  async newStore({ fixture, checkout, isShared }: Contender): Promise<StoreSettings> {
    if (isShared) {
      const { postgres, redis } = await this.servers();
      const url = await postgres.newDatabase();
      await importFixture(checkout, url, fixture);
      return { DATABASE_URL: url, REDIS_URL: redis.url };
    }
    const content = JSON.stringify([checkout, fixture]);
    const original = join(this.#folder, `fixture-${Bun.hash(content)}.db`);
    if (!existsSync(original)) await importFixture(checkout, `sqlite:${original}`, fixture);
    const file = join(this.newFolder('store'), 'store.db');
    copyFileSync(original, file);
    return { DATABASE_URL: `sqlite:${file}`, DATABASE_FILE: file };
  }

  readonly [Symbol.asyncDispose] = () => this.#resources.disposeAsync();
}

/** Every version writes its own fixture, because the format of an export may differ between versions. */
async function importFixture(checkout: string, url: string, fixture: Fixture): Promise<void> {
  const module: typeof FixtureModule = await import(join(checkout, 'bench/measure/fixture.ts'));
  module.importFixture(checkout, url, fixture);
}
