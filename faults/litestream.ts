import { Database } from 'bun:sqlite';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Glob } from 'bun';
import { commandLine, makeKey, run, type Serving, serve } from '../test/support/command.ts';
import { type ApiCaller, apiCaller } from '../test/support/http.ts';
import { killedWithTests } from '../test/support/programs.ts';
import type { Settings } from '../test/support/store.ts';
import { newFile, newFolder } from '../test/support/temporary-folder.ts';
import { eventually } from '../test/support/time.ts';
import { atMost, type Fault, none } from './fault.ts';
import { pick, type Random } from './random.ts';
import { isIntactFile } from './service.ts';
import { Confirmed, findLosses, writeUntilGone } from './writers.ts';

const MODULE = 'github.com/benbjohnson/litestream/cmd/litestream@v0.5.17';

/** Litestream copies once a second. On a busy machine, it needs longer. */
const MOST_LOST_SECONDS = 5;
const LONGEST_PAUSE_MS = 1_000;
const RESTARTS_PER_ROUND = 2;
/** The size of the store whose restore is timed, as a share for each round. */
const SEEDED_PER_ROUND = 50_000;
const MB = 1_000_000;

/** A stop in order, or what is killed. */
const ENDS = ['stop', 'service', 'litestream', 'both'] as const;
type End = (typeof ENDS)[number];

function requireLitestream(): string {
  const program = Bun.which('litestream');
  if (program !== null) return program;
  const install = `GOBIN=/usr/local/bin go install ${MODULE}`;
  throw new Error(`This attack needs litestream. With Go 1.25 or later: ${install}`);
}

/** Confirmed pets whose age is known, because Litestream may lose the newest. */
class TimedPets extends Confirmed {
  /** When each pet was confirmed, by its id. */
  readonly times = new Map<number, number>();

  override set(id: number, name: string): this {
    this.times.set(id, performance.now());
    return super.set(id, name);
  }
}

/** A service that Litestream runs and whose data file it copies. Both can be ended under load, and started again. */
class Deployment implements AsyncDisposable {
  readonly path: string;
  readonly settings: Settings;
  readonly #replica: string;
  readonly #programs = newFolder();
  readonly #resources = new AsyncDisposableStack();
  #litestream: Serving | undefined;
  #servicePid: number | undefined;

  constructor(path: string, replica: string) {
    this.path = path;
    this.settings = { DATABASE_URL: `sqlite:${path}` };
    this.#replica = replica;
  }

  /** Starts both with the files of `deploy`, and waits until Litestream has copied something. */
  async start(): Promise<Serving> {
    const program = join(this.#programs, 'animal-store');
    const pidFile = join(this.#programs, 'pid');
    const words = commandLine().map((word) => `'${word}'`);
    const script = `#!/bin/sh\necho $$ >${pidFile}\nexec ${words.join(' ')} "$@" --json\n`;
    writeFileSync(program, script, { mode: 0o700 });
    const configuration = join(this.#programs, 'litestream.yml');
    // The start report of the service is the only text on standard output.
    const logging = '\nlogging: {stderr: true}\n';
    writeFileSync(configuration, readFileSync('deploy/litestream.yml', 'utf8') + logging);
    const copied = this.#countCopies();
    const settings = {
      ...this.settings,
      PATH: `${this.#programs}:${dirname(requireLitestream())}:${Bun.env['PATH']}`,
      LITESTREAM_CONFIG: configuration,
      REPLICA_URL: `file://${this.#replica}`,
    };
    // Litestream passes this signal on, so the service ends with the tests as well.
    const wrap = () => [...killedWithTests('TERM'), 'sh', 'deploy/litestream.sh'];
    this.#litestream = this.#resources.use(await serve(settings, wrap));
    this.#servicePid = Number(readFileSync(pidFile, 'utf8'));
    await eventually(() => this.#countCopies() > copied);
    return this.#litestream;
  }

  /** How many files of changes the replica has. Litestream keeps each for at least five minutes. */
  #countCopies(): number {
    return [...new Glob('ltx/0/*.ltx').scanSync(this.#replica)].length;
  }

  /** Ends both programs. If only Litestream is killed, the service does more before systemd kills it too. */
  async end(end: End, work = async () => {}): Promise<void> {
    if (end === 'stop') this.#litestream?.kill('SIGTERM');
    if (end === 'litestream') {
      this.#litestream?.kill('SIGKILL');
      await work();
    }
    if (end !== 'stop') this.#killService();
    if (end === 'both') this.#litestream?.kill('SIGKILL');
    await this.#litestream?.exited;
    this.#servicePid = undefined;
  }

  #killService(): void {
    if (this.#servicePid !== undefined) process.kill(this.#servicePid, 'SIGKILL');
    this.#servicePid = undefined;
  }

  /** Lets the next write begin the `-wal` file again, as the service does after every thousand pages. */
  checkpoint(): void {
    using database = new Database(this.path);
    database.run('PRAGMA busy_timeout = 60000; PRAGMA wal_checkpoint(RESTART)');
  }

  /** Restores the replica to a new file, as on another machine. */
  restore(): Deployment {
    const { path } = newFile();
    const words = [requireLitestream(), 'restore', '-o', path, `file://${this.#replica}`];
    const { success, stderr } = Bun.spawnSync(words);
    if (!success) throw new Error(`litestream restore failed: ${stderr}`);
    return new Deployment(path, this.#replica);
  }

  countPets(): number {
    using database = new Database(this.path);
    return Number(database.query('SELECT count(*) FROM pets').values()[0]?.[0]);
  }

  /** Makes a backup. Returns true if the command succeeds and the backup is intact. */
  async backUp(): Promise<boolean> {
    const { path } = newFile();
    const { exitCode } = await run(this.settings, 'store', 'backup', path);
    return exitCode === 0 && isIntactFile(path);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#killService();
    return this.#resources.disposeAsync();
  }
}

/** What went wrong in all rounds. */
class Totals {
  refused = 0;
  failedBackups = 0;
  lostInOrder = 0;
  lostSeconds = 0;
  gaps = 0;
  damaged = 0;
  reused = 0;
  notCopiedAgain = 0;

  /** Ends and restarts both under write load, ends them in the given way, and restores the replica. */
  async attack(last: End, random: Random): Promise<void> {
    await using deployment = new Deployment(newFile().path, newFolder());
    const { secret } = await makeKey(deployment.settings, 'writer');
    const confirmed = new TimedPets();
    const write = async (prefix: string) => {
      const { started } = await deployment.start();
      return { ended: writeUntilGone(apiCaller(started.api, secret), prefix, confirmed) };
    };
    const moreConfirmed = async () => {
      const { size } = confirmed;
      await eventually(() => confirmed.size > size);
    };
    // When Litestream starts again, it must notice that it missed changes, although the log is shorter than before.
    const missChanges = async () => {
      await moreConfirmed();
      deployment.checkpoint();
      await moreConfirmed();
    };

    for (let restart = 0; restart < RESTARTS_PER_ROUND; restart++) {
      const { ended } = await write(String(restart));
      await Bun.sleep(random() * LONGEST_PAUSE_MS);
      await deployment.end(pick(ENDS, random), missChanges);
      await ended;
    }
    const { ended } = await write('last');
    if (!(await deployment.backUp())) this.failedBackups++;
    // Litestream copies the last changes before it ends, unless it is killed.
    const isInOrder = last === 'stop' || last === 'service';
    if (!isInOrder) await Bun.sleep(MOST_LOST_SECONDS * 1_000);
    const endedAtMs = performance.now();
    await deployment.end(last, missChanges);
    await ended;
    this.refused += confirmed.refused;

    await using restored = deployment.restore();
    if (!isIntactFile(restored.path)) this.damaged++;
    const { started } = await restored.start();
    const caller = apiCaller(started.api, secret);
    const lastId = await this.#compare(caller, confirmed, isInOrder ? undefined : endedAtMs);
    await this.#continue(restored, caller, lastId);
  }

  /** Counts the confirmed pets that the restored store lacks. Returns the last id of that store. */
  async #compare(caller: ApiCaller, confirmed: TimedPets, killedAtMs?: number): Promise<number> {
    const { lost, reused, lastId } = await findLosses(caller, confirmed);
    const newest = [...confirmed.times].filter(([id]) => id > lastId);
    this.reused += reused;
    this.gaps += lost - newest.length;
    if (killedAtMs === undefined) this.lostInOrder += lost;
    else {
      const ages = newest.map(([, atMs]) => (killedAtMs - atMs) / 1_000);
      this.lostSeconds = Math.max(this.lostSeconds, ...ages);
    }
    return lastId;
  }

  /** Uses the restored store, backs it up, and restores it again from the same replica. */
  async #continue(restored: Deployment, { add }: ApiCaller, lastId: number): Promise<void> {
    const { id } = (await (await add('after the restore')).json()) as { id: number };
    if (!(id > lastId)) this.reused++;
    if (!(await restored.backUp())) this.failedBackups++;
    await restored.end('stop');
    await using again = restored.restore();
    if (!isIntactFile(again.path)) this.damaged++;
    this.notCopiedAgain += Math.abs(restored.countPets() - again.countPets());
  }
}

/** Restores a large store. Returns its size and how long the restore took. */
async function restoreLarge(pets: number): Promise<{ mb: number; seconds: number }> {
  await using deployment = new Deployment(newFile().path, newFolder());
  await makeKey(deployment.settings, 'writer');
  const { exitCode, stderr } = await run(deployment.settings, 'pets seed --count', String(pets));
  if (exitCode !== 0) throw new Error(stderr);
  await deployment.start();
  await deployment.end('stop');
  const beganMs = performance.now();
  await using restored = deployment.restore();
  const seconds = (performance.now() - beganMs) / 1_000;
  if (restored.countPets() !== pets) throw new Error('Pets are missing');
  return { mb: Math.round(statSync(restored.path).size / MB), seconds };
}

export const litestream: Fault = {
  name: 'litestream',
  title:
    'Litestream runs a service under write load and copies its store. Again and again, both are stopped in order, or one or both are killed. Then the copy is restored.',
  unit: 'restores',
  amounts: { full: 20, short: 2 },
  async run({ amount, random }) {
    const totals = new Totals();
    for (let round = 0; round < amount; round++) {
      await totals.attack(ENDS[round % ENDS.length] as End, random);
    }
    const pets = amount * SEEDED_PER_ROUND;
    const large = await restoreLarge(pets);
    const rounded = (seconds: number) => Number(seconds.toFixed(1));
    return [
      none('creations refused', totals.refused),
      none('failed backups', totals.failedBackups),
      none('confirmed pets lost after a stop or a kill of only the service', totals.lostInOrder),
      atMost(
        MOST_LOST_SECONDS,
        'seconds of confirmed pets lost after a kill of Litestream',
        rounded(totals.lostSeconds),
      ),
      none('pets missing before the newest restored pet', totals.gaps),
      none('damaged restored stores', totals.damaged),
      none('ids of restored pets used twice', totals.reused),
      none('pets missing when the restored store was copied again', totals.notCopiedAgain),
      atMost(
        60,
        `seconds to restore ${large.mb} MB with ${pets.toLocaleString('en')} pets`,
        rounded(large.seconds),
      ),
    ];
  },
};
