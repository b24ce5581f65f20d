import { makeKey, type Serving, serve } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { eventually } from '../test/support/time.ts';
import { atMost, type Fault, none } from './fault.ts';
import { ReplicatedPostgres } from './replicated-postgres.ts';
import { Confirmed, findLosses } from './writers.ts';

const LONGEST_MOVE_SECONDS = 10;
const LONGEST_MOVE_WITH_HOSTS_SECONDS = 5;
/** The time limit is long enough for a start on a busy machine. */
const SETTINGS = { DATABASE_CONNECTIONS: '3', STORE_TIMEOUT_SECONDS: '10' };

export const oldPrimary: Fault = {
  name: 'old-primary',
  title:
    'Instances use a primary that loses its synchronous standby and restarts. The standby takes over while the ' +
    'old primary still runs. Two instances have one host in DATABASE_URL, two have several, and one with ' +
    'several only reads.',
  unit: 'failovers',
  amounts: { full: 10, short: 1 },
  async run({ amount }) {
    await using resources = new AsyncDisposableStack();
    const server = resources.use(await ReplicatedPostgres.start());
    const serveAt = async (url: string) =>
      resources.use(await serve({ ...SETTINGS, DATABASE_URL: url }));
    const { url, hostsUrl } = server;
    const { secret } = await makeKey({ ...SETTINGS, DATABASE_URL: url }, 'writer');
    const withOneHost = [await serveAt(url), await serveAt(url)];
    const withHosts = [await serveAt(hostsUrl), await serveAt(hostsUrl)];
    const services = [...withOneHost, ...withHosts];
    const reading = apiCaller((await serveAt(hostsUrl)).started.api, secret);
    const confirmed = new Confirmed();
    let confirmedTooEarly = 0;
    const longestMoveMs = { withOneHost: 0, withHosts: 0, reading: 0 };

    /** Returns true if the service confirms the pet, which has the name of its `Idempotency-Key`. */
    const create = async ({ started }: Serving, name: string) => {
      const response = await apiCaller(started.api, secret).add(name, name);
      if (response.status === 503) return false;
      if (response.status !== 201) throw new Error(`A creation got ${response.status}`);
      confirmed.set(((await response.json()) as { id: number }).id, name);
      return true;
    };

    for (let count = 0; count < amount; count++) {
      const name = `waiting-${count}`;
      const repeat = async () => {
        for (const service of services) if (await create(service, name)) confirmedTooEarly++;
      };
      const recordMove = (kind: keyof typeof longestMoveMs) => {
        const moveMs = performance.now() - server.promotedAtMs;
        longestMoveMs[kind] = Math.max(longestMoveMs[kind], moveMs);
      };
      const move = async (service: Serving, index: number) => {
        await eventually(() => create(service, `moved-${count}-${index}`));
        recordMove(withHosts.includes(service) ? 'withHosts' : 'withOneHost');
        await eventually(() => create(service, name));
      };
      const moveReader = async () => {
        const created = `moved-${count}-${services.length - 1}`;
        await eventually(async () => {
          const pets = await Array.fromAsync(reading.petsAfter(0)).catch(() => []);
          return pets.some(({ name }) => name === created);
        });
        recordMove('reading');
      };
      for (const service of services) await eventually(() => create(service, `before-${count}`));
      await server.replaceWaitingPrimary(repeat, async () => {
        await Promise.all([...services.map(move), moveReader()]);
      });
    }
    const { lost, reused } = await findLosses(reading, confirmed);
    const names = (await Array.fromAsync(reading.petsAfter(0))).map((pet) => pet.name);
    return [
      none('pets confirmed without the standby', confirmedTooEarly),
      none('confirmed pets lost', lost + reused),
      none('pets added twice', names.length - new Set(names).size),
      ...(
        [
          [LONGEST_MOVE_SECONDS, 'an instance with one host created', 'withOneHost'],
          [LONGEST_MOVE_WITH_HOSTS_SECONDS, 'an instance with several hosts created', 'withHosts'],
          [LONGEST_MOVE_SECONDS, 'an instance that only reads showed', 'reading'],
        ] as const
      ).map(([limit, who, kind]) =>
        atMost(
          limit,
          `seconds until ${who} pets on the new primary`,
          Math.ceil(longestMoveMs[kind] / 1_000),
        ),
      ),
    ];
  },
};
