import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { TestPostgres } from '../../test/support/postgres.ts';
import { TestRedis } from '../../test/support/redis.ts';
import type { Contender } from '../contenders/contenders.ts';
import { mainOf, ROOT } from './checkout.ts';
import { importFixture, keyOf, SMALL } from './fixture.ts';
import { send } from './send.ts';
import { startServer } from './server.ts';
import type { Target } from './target.ts';

/** Starts contenders on copies of the fixtures. Disposing of it removes everything. */
export class Lab implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly #folder: string;
  readonly #fixtureFiles = new Map<string, string>();
  #shared: { readonly postgres: TestPostgres; readonly redis: TestRedis } | undefined;

  constructor() {
    // The temporary folder of a machine may not be on a disk.
    const data = join(ROOT, 'bench/.data');
    mkdirSync(data, { recursive: true });
    this.#folder = mkdtempSync(join(data, 'run-'));
    this.#resources.defer(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** Servers that always send the same response take it from the Animal Store at `url`. */
  async start(contender: Contender, url?: string): Promise<Target & AsyncDisposable> {
    const folder = mkdtempSync(join(this.#folder, `${contender.name}-`));
    const file = join(folder, 'store.db');
    copyFileSync(await this.#fixtureFileOf(contender), file);
    const settings = {
      PORT: String(await freePort()),
      OPERATOR_PORT: '0',
      // Requests without a valid key count against the address that the load sends.
      TRUSTED_PROXIES: '1',
      FOLDER: folder,
      DATABASE_FILE: file,
      RESPONSE_FILE: join(folder, 'response.json'),
      ...(contender.isShared ? await this.#sharedSettings() : { DATABASE_URL: `sqlite:${file}` }),
    };
    if (url !== undefined) writeFileSync(settings.RESPONSE_FILE, await captureGetPet(url));
    const server = await startServer(contender.words(settings), settings);
    return { contender, server, folder, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
  }

  async #fixtureFileOf({ fixture, checkout }: Contender): Promise<string> {
    const name = `${checkout} ${fixture.pets}`;
    const known = this.#fixtureFiles.get(name);
    if (known !== undefined) return known;
    const file = join(mkdtempSync(join(this.#folder, 'fixture-')), 'store.db');
    await importFixture(mainOf(checkout), `sqlite:${file}`, fixture);
    this.#fixtureFiles.set(name, file);
    return file;
  }

  /** One PostgreSQL and one Redis for all, and a database for each. */
  async #sharedSettings() {
    this.#shared ??= {
      postgres: this.#resources.use(await TestPostgres.start()),
      redis: this.#resources.use(await TestRedis.start()),
    };
    const url = await this.#shared.postgres.newDatabase();
    await importFixture(mainOf(ROOT), url, SMALL);
    return { DATABASE_URL: url, REDIS_URL: this.#shared.redis.url };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

async function captureGetPet(url: string): Promise<string> {
  const { headers, text } = await send(url, { path: '/v1/pets/1', key: keyOf(1) });
  const { date, 'content-length': length, connection, ...others } = headers.toJSON();
  return JSON.stringify({ headers: others, body: text });
}
