import { startPgBouncer } from '../test/faults/pgbouncer.ts';
import { makeKey, type Serving, serve } from '../test/support/command.ts';
import { atMost, type Fault, none } from './fault.ts';
import { MixedLoad } from './mixed-load.ts';
import { socketsOf } from './process-usage.ts';
import { ReplicatedPostgres } from './replicated-postgres.ts';

const CONNECTIONS = 3;
/** Room for clients and for connections that are being replaced. A leak would add sockets with each outage. */
const MAX_ADDITIONAL_SOCKETS = 30;
const LONGEST_OUTAGE_MS = 1_000;
/** The time limit is long enough for a start on a busy machine. */
const SETTINGS = { DATABASE_CONNECTIONS: String(CONNECTIONS), STORE_TIMEOUT_SECONDS: '10' };

/** Causes an outage, waits for `during` while the outage lasts, and then ends the outage. */
type Outage = (server: ReplicatedPostgres, during: () => Promise<void>) => Promise<void>;

const OUTAGES: readonly Outage[] = [
  (server, during) => server.stopWhile(during, 'SIGQUIT'),
  (server, during) => server.freezeWhile(during),
  (server, during) => server.failOver(during),
  (server, during) => server.useUpConnectionsWhile(during),
  (server) => server.stopWhile(async () => {}, 'SIGINT'),
];

/** Two instances that connect directly, and two behind PgBouncer. */
async function serveAll(
  resources: AsyncDisposableStack,
  url: string,
): Promise<{ services: Serving[]; secret: string }> {
  const { secret } = await makeKey({ DATABASE_URL: url }, 'mixed');
  const pooler = resources.use(await startPgBouncer(url, CONNECTIONS));
  const urls = [url, url, `${pooler.url}?prepare=false`, `${pooler.url}?prepare=false`];
  const started = urls.map((each) => serve({ ...SETTINGS, DATABASE_URL: each }));
  const services = (await Promise.all(started)).map((service) => resources.use(service));
  return { services, secret };
}

export const postgresOutages: Fault = {
  name: 'postgres',
  title:
    'PostgreSQL stopped, frozen, restarted, out of connections or failed over to a standby, ' +
    'while two instances use it directly and two through PgBouncer in transaction mode',
  unit: 'outages',
  // The short form leaves out the restart, which is the last outage, because it has the same effect as a stop.
  amounts: { full: 125, short: OUTAGES.length - 1 },
  async run({ amount, random }) {
    await using resources = new AsyncDisposableStack();
    const server = resources.use(await ReplicatedPostgres.start());
    const { services, secret } = await serveAll(resources, server.url);
    const socketsBefore = Math.max(...services.map(socketsOf));
    await using load = new MixedLoad(services, secret, random);
    for (let count = 0; count < amount; count++) {
      const outage = OUTAGES[count % OUTAGES.length] as Outage;
      await load.served();
      await outage(server, async () => {
        await load.refused();
        await Bun.sleep(random() * LONGEST_OUTAGE_MS);
      });
    }
    await load.served();
    await load.stop();
    const sockets = Math.max(...services.map(socketsOf)) - socketsBefore;
    const [first] = services as [Serving];
    const { lost, doubled } = await load.compare(first);
    for (const each of load.unexpected.slice(0, 5)) console.error(each);
    return [
      none('responses other than 2xx and 503 with Retry-After', load.unexpected.length),
      none('confirmed pets lost', lost),
      none('pets added twice', doubled),
      atMost(MAX_ADDITIONAL_SOCKETS, 'additional sockets opened by an instance', sockets),
      none('instances that exited', services.filter(({ exitCode }) => exitCode() !== null).length),
    ];
  },
};
