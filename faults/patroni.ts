import { makeKey, type Serving, serve } from '../test/support/command.ts';
import { requireProgram } from '../test/support/programs.ts';
import { eventually } from '../test/support/time.ts';
import { FailoverLoad } from './failover-load.ts';
import { atLeast, type Fault, type Finding, none } from './fault.ts';
import { PATRONI_SETTINGS, PatroniCluster } from './patroni-cluster.ts';
import type { Random } from './random.ts';

/** The ways in which the instances find the primary. */
const WAYS = ['with several hosts in DATABASE_URL', 'through HAProxy'];
const INSTANCES = 3;
const ACCOUNT = 'failover';
const SETTINGS = { DATABASE_CONNECTIONS: '3', STORE_TIMEOUT_SECONDS: '5', DRAIN_SECONDS: '1' };
const SETTINGS_OF_PATRONI = Object.entries(PATRONI_SETTINGS).map((entry) => entry.join(' '));
/** How long the clients are busy before an event. */
const BUSY_MS = 2_000;
const LONGEST_PAUSE_MS = 2_000;
/** With fewer of these, an event could pass without a test. */
const MIN_PETS = 1_000;
const MIN_KEYS = 100;
/** The fence logs this when it refuses a server. */
const REFUSAL = 'its history is older than one that this instance has used';

const LAST_ID = 'SELECT coalesce(max(id), 0) AS id FROM pets';
const PETS = 'SELECT id, name FROM pets';

interface Pet {
  readonly id: string;
  readonly name: string;
}

interface Kind {
  readonly name: string;
  /** The longest time in which an instance may create no pet. */
  readonly maxSeconds: number;
  /** `until` resolves once the instances use another leader. Then a node that is down or frozen may return. */
  cause(cluster: PatroniCluster, until: () => Promise<void>): Promise<void>;
}

/** A leader that does not respond keeps its key for 20 seconds (`ttl`). */
const KINDS: readonly Kind[] = [
  { name: 'a switchover', maxSeconds: 30, cause: (cluster) => cluster.switchOver() },
  { name: 'kill -9 of PostgreSQL', maxSeconds: 30, cause: (cluster) => cluster.crashPostgres() },
  {
    name: 'the death of a node',
    maxSeconds: 60,
    cause: (cluster, until) => cluster.killNode(until),
  },
  {
    name: 'a frozen node',
    maxSeconds: 60,
    cause: (cluster, until) => cluster.freeze('node', until),
  },
  {
    name: 'a frozen Patroni',
    maxSeconds: 60,
    cause: (cluster, until) => cluster.freeze('patroni', until),
  },
];

export const patroni: Fault = {
  name: 'patroni',
  title:
    `Three instances use three PostgreSQL servers under Patroni (${SETTINGS_OF_PATRONI.join(', ')}), ` +
    `first ${WAYS.join(', then ')}. In both ways, the leader is switched over, PostgreSQL is killed with -9, a node ` +
    'dies and returns, a node freezes and thaws, or only its Patroni freezes and thaws.',
  unit: 'events',
  // The tests of several hosts do the same in less time, without Patroni.
  amounts: { full: WAYS.length * KINDS.length * 3, short: 0 },
  async run({ amount, random }) {
    for (const name of ['postgres', 'etcd', 'patroni', 'haproxy'] as const) requireProgram(name);
    await using cluster = await PatroniCluster.start();
    const urls = [cluster.url, await cluster.startHaproxy()];
    const { secret } = await makeKey({ DATABASE_URL: cluster.url }, ACCOUNT);
    const outcome = new Outcome();
    for (const [way, url] of urls.entries()) {
      await using instances = await Instances.start(url);
      for (let count = 0; count < amount / WAYS.length; count++) {
        const kind = KINDS[count % KINDS.length] as Kind;
        const prefix = `pet-${way}-${count}`;
        await tryEvent({ cluster, instances, secret, outcome, kind, way, prefix, random });
      }
    }
    await outcome.compareAll(cluster);
    return outcome.findings;
  },
};

interface Event {
  readonly cluster: PatroniCluster;
  readonly instances: Instances;
  readonly secret: string;
  readonly outcome: Outcome;
  readonly kind: Kind;
  readonly way: number;
  /** The names of the pets that are created meanwhile begin with this. */
  readonly prefix: string;
  readonly random: Random;
}

async function tryEvent(event: Event): Promise<void> {
  const { cluster, instances, secret, outcome, kind, way, prefix, random } = event;
  const { services, url } = instances;
  const [last] = await cluster.query<Pick<Pet, 'id'>>(LAST_ID);
  const lastId = Number(last?.id);
  cluster.beginEvent();
  instances.beginEvent();
  const load = new FailoverLoad({ services, url, account: ACCOUNT, secret, prefix, lastId });
  await load.served();
  await Bun.sleep(BUSY_MS);
  let gapSeconds = 0;
  await kind.cause(cluster, async () => {
    await load.served();
    gapSeconds = load.longestGapSeconds;
    await Bun.sleep(random() * LONGEST_PAUSE_MS);
  });
  await cluster.recovered();
  await instances.acceptRemaining(cluster.wentBack);
  await load.served();
  await load.stop();
  const isDiscarded = cluster.wentBack && instances.haveRefused;
  // After a discard, an instance waits for an operator, for as long as that takes.
  outcome.addGap(kind, way, isDiscarded ? gapSeconds : load.longestGapSeconds);
  await outcome.add(event, load, isDiscarded);
}

/** Three instances. One that refuses the only primary is restarted. */
class Instances implements AsyncDisposable {
  readonly services: Serving[] = [];
  readonly url: string;
  readonly #resources = new AsyncDisposableStack();
  /** The lengths of the logs at the beginning of the event. */
  #logged = new Map<Serving, number>();

  private constructor(url: string) {
    this.url = url;
  }

  static async start(url: string): Promise<Instances> {
    const instances = new Instances(url);
    for (let count = 0; count < INSTANCES; count++) {
      instances.services.push(await instances.#serve());
    }
    return instances;
  }

  async #serve(): Promise<Serving> {
    return this.#resources.use(await serve({ ...SETTINGS, DATABASE_URL: this.url }));
  }

  beginEvent(): void {
    this.#logged = new Map(this.services.map((each) => [each, each.stderr().length]));
  }

  /** Returns true if the instance has refused a server since the beginning of the event. */
  hasRefused(service: Serving): boolean {
    return service.stderr().slice(this.#logged.get(service)).includes(REFUSAL);
  }

  get haveRefused(): boolean {
    return [...this.#logged.keys()].some((each) => this.hasRefused(each));
  }

  /**
   * Waits until every instance is ready. If Patroni has discarded the data that an instance had used, the instance
   * never uses the rest, and its log says that a restart accepts it. So it is restarted, as an operator would do.
   */
  async acceptRemaining(wentBack: boolean): Promise<void> {
    for (const [index, service] of this.services.entries()) {
      let isReady = false;
      await eventually(async () => {
        isReady = await service.isReady();
        return isReady || (wentBack && this.hasRefused(service));
      });
      if (isReady) continue;
      this.services[index] = await this.#serve();
      service.kill('SIGTERM');
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

/** What went wrong in some of the events. */
class Counts {
  lost = 0;
  missed = 0;
  keys = 0;
}

/** What all events together have shown. */
class Outcome {
  readonly #ours = new Counts();
  /**
   * The counts of what Patroni has discarded. A Patroni that thaws may take its key back, although another leader has
   * used it meanwhile. Then the cluster continues with the older data. The service cannot prevent this, but each
   * instance that has used the newer data must notice it.
   */
  readonly #discarded = new Counts();
  #discards = 0;
  readonly #unexpected: string[] = [];
  #doubled = 0;
  #revoked = 0;
  /** The ids of the pets that were stored after their event, by name. */
  readonly #kept = new Map<string, string>();
  /** For each kind of event, the longest time in which an instance created no pet, in each way. */
  readonly #gaps = new Map<Kind, number[]>();

  addGap(kind: Kind, way: number, seconds: number): void {
    const gaps = this.#gaps.get(kind) ?? WAYS.map(() => 0);
    gaps[way] = Math.max(gaps[way] ?? 0, Math.ceil(seconds));
    this.#gaps.set(kind, gaps);
  }

  async add(event: Event, load: FailoverLoad, isDiscarded: boolean): Promise<void> {
    const { cluster, instances, kind, way } = event;
    const counts = isDiscarded ? this.#discarded : this.#ours;
    const before = JSON.stringify(this.#ours);
    if (isDiscarded) this.#discards++;
    counts.missed += load.missed;
    counts.keys += load.acceptedKeys;
    this.#revoked += load.revokedKeys;
    this.#unexpected.push(...load.unexpected);
    const stored = idsByName(await cluster.query<Pet>(PETS));
    for (const [name, { id, service }] of load.confirmed) {
      if (stored.get(name) === String(id)) this.#kept.set(name, String(id));
      else if (isDiscarded && instances.hasRefused(service)) this.#discarded.lost++;
      else this.#ours.lost++;
    }
    if (JSON.stringify(this.#ours) !== before) {
      console.error(`After ${kind.name} ${WAYS[way]}: ${JSON.stringify(this.#ours)} in all`);
    }
  }

  /** Counts the pets that were stored after their event but were lost later, and those that were added twice. */
  async compareAll(cluster: PatroniCluster): Promise<void> {
    const pets = await cluster.query<Pet>(PETS);
    const stored = idsByName(pets);
    this.#doubled = pets.length - stored.size;
    for (const [name, id] of this.#kept) if (stored.get(name) !== id) this.#ours.lost++;
  }

  get findings(): readonly Finding[] {
    for (const each of this.#unexpected.slice(0, 5)) console.error(each);
    const { lost, missed, keys } = this.#discarded;
    return [
      none('confirmed pets lost that no fence noticed', this.#ours.lost),
      atLeast(MIN_PETS, 'confirmed pets that were kept', this.#kept.size),
      none('pets added twice', this.#doubled),
      none('confirmed pets that a reader missed', this.#ours.missed),
      none('revoked keys that worked for longer than a second', this.#ours.keys),
      atLeast(MIN_KEYS, 'keys revoked', this.#revoked),
      none('responses other than 2xx and 503 with Retry-After', this.#unexpected.length),
      ...[...this.#gaps].map(([{ name, maxSeconds }, gaps]) => ({
        promise: `seconds without a creation after ${name}, in each way`,
        outcome: `${gaps.join(' and ')} (at most ${maxSeconds})`,
        holds: gaps.every((seconds) => seconds <= maxSeconds),
      })),
      {
        promise: 'events in which Patroni returned to older data, which instances refused',
        outcome: `${this.#discards} (confirmed pets lost: ${lost}, missed by readers: ${missed}, revocations lost: ${keys})`,
        holds: true,
      },
    ];
  }
}

function idsByName(pets: readonly Pet[]): ReadonlyMap<string, string> {
  return new Map(pets.map(({ id, name }) => [name, id]));
}
