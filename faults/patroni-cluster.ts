import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  connectTo,
  ownedByServer,
  postgresPrograms,
  signalServer,
  spawnServer,
} from '../test/support/postgres.ts';
import { freePort, killedWithTests, requireProgram } from '../test/support/programs.ts';
import { newFolder } from '../test/support/temporary-folder.ts';
import { eventually } from '../test/support/time.ts';

const NODES = 3;
const SCOPE = 'animal-store';
const DATABASE = 'postgres';
const RESPONSE_MS = 1_000;

/** The shortest times that Patroni accepts, and commits that always wait for a standby. */
export const PATRONI_SETTINGS = {
  ttl: 20,
  loop_wait: 1,
  retry_timeout: 3,
  synchronous_mode: true,
  synchronous_mode_strict: true,
};

type Signal = Parameters<typeof signalServer>[1];

interface Member {
  readonly role: string;
  readonly state: string;
}

/** A PostgreSQL server and the Patroni that controls it. */
class PatroniNode {
  readonly name: string;
  /** The REST API of Patroni. */
  readonly rest: URL;
  /** A database on the PostgreSQL server. */
  readonly database: URL;
  readonly #folder = newFolder();
  readonly #data = join(this.#folder, 'data');
  readonly #settings = join(this.#folder, 'patroni.json');
  #patroni: Bun.Subprocess | undefined;

  private constructor(name: string, restPort: number, postgresPort: number) {
    this.name = name;
    this.rest = new URL(`http://127.0.0.1:${restPort}`);
    this.database = new URL(`postgres://postgres@127.0.0.1:${postgresPort}/${DATABASE}`);
  }

  static async prepare(name: string, etcd: string): Promise<PatroniNode> {
    const node = new PatroniNode(name, await freePort(), await freePort());
    const ofRest = { listen: node.rest.host, connect_address: node.rest.host };
    const ofPostgres = { listen: node.database.host, connect_address: node.database.host };
    const settings = {
      scope: SCOPE,
      name,
      restapi: ofRest,
      etcd3: { url: etcd },
      bootstrap: {
        dcs: { ...PATRONI_SETTINGS, postgresql: { use_pg_rewind: true } },
        initdb: [{ auth: 'trust' }, { encoding: 'UTF8' }, 'no-locale'],
      },
      postgresql: {
        ...ofPostgres,
        data_dir: node.#data,
        bin_dir: postgresPrograms(),
        pgpass: join(node.#folder, 'pgpass'),
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        parameters: { unix_socket_directories: '' },
        authentication: {
          superuser: { username: 'postgres' },
          replication: { username: 'postgres' },
        },
      },
    };
    // Every JSON document is a YAML document, which Patroni reads.
    writeFileSync(node.#settings, JSON.stringify(settings));
    ownedByServer(node.#folder, node.#settings);
    return node;
  }

  /** Starts Patroni, which starts PostgreSQL unless it already runs. */
  start(): void {
    this.#patroni = spawnServer([requireProgram('patroni'), this.#settings]);
  }

  signalPatroni(signal: Signal): void {
    this.#signal(this.#patroni?.pid, signal);
  }

  /** Patroni starts PostgreSQL so that it survives Patroni. Only a file in its folder says which process it is. */
  signalPostgres(signal: Signal): void {
    const file = join(this.#data, 'postmaster.pid');
    if (existsSync(file)) this.#signal(Number.parseInt(readFileSync(file, 'utf8'), 10), signal);
  }

  signal(signal: Signal): void {
    this.signalPatroni(signal);
    this.signalPostgres(signal);
  }

  /** Another process may have the id by now. */
  #signal(pid: number | undefined, signal: Signal): void {
    const file = `/proc/${pid}/cmdline`;
    if (pid === undefined || !existsSync(file)) return;
    if (readFileSync(file, 'utf8').includes(this.#folder)) signalServer(pid, signal);
  }

  /** Returns the history of the server as text that can be compared, or undefined if it does not serve as the leader. */
  async historyOfLeader(): Promise<string | undefined> {
    const status = await this.#ask<{ timeline: number; xlog?: { location: number } }>('/primary');
    // While its server is down, a leader reports no position.
    if (status?.xlog === undefined) return undefined;
    const { timeline, xlog } = status;
    return [timeline, xlog.location].map((each) => String(each).padStart(20)).join();
  }

  async members(): Promise<readonly Member[]> {
    return (await this.#ask<{ members: Member[] }>('/cluster'))?.members ?? [];
  }

  async #ask<Body>(path: string): Promise<Body | undefined> {
    try {
      const signal = AbortSignal.timeout(RESPONSE_MS);
      const response = await fetch(new URL(path, this.rest), { signal });
      return response.ok ? ((await response.json()) as Body) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Three servers under Patroni, which share an etcd. */
export class PatroniCluster implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly #nodes: PatroniNode[] = [];
  /** The URL of etcd for its clients. */
  #etcd = '';
  /** The newest history of a leader in the present event. */
  #newest = '';
  /** After the present event, the leader has an older history than another leader had meanwhile. */
  wentBack = false;

  static async start(): Promise<PatroniCluster> {
    await using starting = new AsyncDisposableStack();
    const cluster = starting.use(new PatroniCluster());
    await cluster.#startEtcd();
    for (let count = 1; count <= NODES; count++) {
      cluster.#nodes.push(await PatroniNode.prepare(`node${count}`, cluster.#etcd));
    }
    // Patroni starts PostgreSQL so that it does not end with this process. This comes before the folders are deleted.
    process.prependOnceListener('exit', () => cluster.#kill());
    for (const node of cluster.#nodes) node.start();
    await eventually(() => cluster.isWhole());
    starting.move();
    return cluster;
  }

  /** The URL with all hosts, of which each instance finds the primary itself. */
  get url(): string {
    const hosts = this.#nodes.map(({ database }) => database.host).join();
    return `postgres://postgres@${hosts}/${DATABASE}`;
  }

  async #startEtcd(): Promise<void> {
    this.#etcd = `http://127.0.0.1:${await freePort()}`;
    const peer = `http://127.0.0.1:${await freePort()}`;
    const options = {
      'data-dir': newFolder(),
      'listen-client-urls': this.#etcd,
      'advertise-client-urls': this.#etcd,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    this.#spawn([requireProgram('etcd'), ...words]);
  }

  /** Starts HAProxy with the file that we ship, and returns the URL that leads through it. */
  async startHaproxy(): Promise<string> {
    const listen = `127.0.0.1:${await freePort()}`;
    const addresses = this.#nodes.flatMap(({ rest, database }, index) => [
      [`POSTGRES_${index + 1}`, database.host],
      [`PATRONI_PORT_${index + 1}`, rest.port],
    ]);
    const env = { POSTGRES_LISTEN: listen, ...Object.fromEntries(addresses) };
    this.#spawn([requireProgram('haproxy'), '-db', '-f', 'deploy/haproxy.cfg'], env);
    return `postgres://postgres@${listen}/${DATABASE}`;
  }

  #spawn(words: string[], env: Record<string, string> = {}): void {
    const options = { env, stdout: 'ignore', stderr: 'ignore' } as const;
    this.#resources.use(Bun.spawn([...killedWithTests('KILL'), ...words], options));
  }

  /** The nodes that serve as the leader. While a key changes hands, there may be none or two. */
  async #leaders(): Promise<{ node: PatroniNode; history: string }[]> {
    const histories = await Promise.all(this.#nodes.map((node) => node.historyOfLeader()));
    const leaders = this.#nodes.flatMap((node, index) => {
      const history = histories[index];
      return history === undefined ? [] : [{ node, history }];
    });
    for (const { history } of leaders) if (history > this.#newest) this.#newest = history;
    return leaders;
  }

  async leader(): Promise<PatroniNode> {
    let node: PatroniNode | undefined;
    await eventually(async () => {
      const leaders = await this.#leaders();
      if (leaders.length === 1) node = leaders[0]?.node;
      return node !== undefined;
    });
    return node as PatroniNode;
  }

  /** Queries the leader directly. */
  async query<Row>(text: string): Promise<Row[]> {
    await using sql = connectTo((await this.leader()).database.href);
    return await sql.unsafe<Row[]>(text);
  }

  /** One node leads, and the others follow it, one of them synchronously. */
  async isWhole(): Promise<boolean> {
    const [leader, ...others] = await this.#leaders();
    if (leader === undefined || others.length > 0) return false;
    const members = await leader.node.members();
    const roles = members.filter(({ state }) => state === 'running').map(({ role }) => role);
    if (roles.sort().join() !== 'leader,replica,sync_standby') return false;
    await using sql = connectTo(leader.node.database.href);
    const query = sql`SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'`;
    const states: { sync_state: string }[] = await query.catch(() => []);
    return states.length === NODES - 1 && states.some(({ sync_state }) => sync_state === 'sync');
  }

  /**
   * Waits until the cluster is whole. If a Patroni has taken its key back, the key of the synchronous standby still
   * belongs to the leader in between, and Patroni never changes it again. So it is deleted, as an operator must do.
   */
  async recovered(): Promise<void> {
    let isDeleted = false;
    await eventually(async () => {
      const [leader, ...others] = await this.#leaders();
      if (leader === undefined || others.length > 0) return false;
      this.wentBack = leader.history < this.#newest;
      if (this.wentBack && !isDeleted) {
        isDeleted = true;
        const body = JSON.stringify({ key: btoa(`/service/${SCOPE}/sync`) });
        await fetch(`${this.#etcd}/v3/kv/deleterange`, { method: 'POST', body });
      }
      return await this.isWhole();
    });
  }

  /** Forgets the histories of earlier leaders. */
  beginEvent(): void {
    this.#newest = '';
    this.wentBack = false;
  }

  async switchOver(): Promise<void> {
    const { name, rest } = await this.leader();
    await eventually(async () => {
      const body = JSON.stringify({ leader: name });
      await fetch(new URL('/switchover', rest), { method: 'POST', body });
      return (await this.leader()).name !== name;
    });
  }

  async crashPostgres(): Promise<void> {
    (await this.leader()).signalPostgres('SIGKILL');
  }

  /** The node of the leader dies, and starts again later. */
  async killNode(pause: () => Promise<void>): Promise<void> {
    const old = await this.leader();
    old.signal('SIGKILL');
    await this.#anotherLeads(old);
    await pause();
    old.start();
  }

  /** The whole node of the leader freezes, or only its Patroni. */
  async freeze(part: 'node' | 'patroni', pause: () => Promise<void>): Promise<void> {
    const old = await this.leader();
    const signal = (each: Signal) => (part === 'node' ? old.signal(each) : old.signalPatroni(each));
    signal('SIGSTOP');
    await this.#anotherLeads(old);
    await pause();
    signal('SIGCONT');
  }

  async #anotherLeads(old: PatroniNode): Promise<void> {
    await eventually(async () => (await this.#leaders()).some(({ node }) => node !== old));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
    await this.#resources.disposeAsync();
  }

  #kill(): void {
    for (const node of this.#nodes) node.signal('SIGKILL');
  }
}
