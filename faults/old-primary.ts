import { makeKey, type Serving, serve } from '../test/support/command.ts';
import { apiCaller } from '../test/support/http.ts';
import { eventually } from '../test/support/time.ts';
import { atMost, type Fault, none } from './fault.ts';
import { ReplicatedPostgres } from './replicated-postgres.ts';
import { Confirmed, findLosses } from './writers.ts';

const INSTANCES = 3;
const LONGEST_MOVE_SECONDS = 10;
/** The time limit is long enough for a start on a busy machine. */
const SETTINGS = { DATABASE_CONNECTIONS: '3', STORE_TIMEOUT_SECONDS: '10' };

export const oldPrimary: Fault = {
  name: 'old-primary',
  title:
    'Three instances use a primary that loses its synchronous standby and restarts. The standby takes over ' +
    'while the old primary still runs.',
  unit: 'failovers',
  amounts: { full: 10, short: 1 },
  async run({ amount }) {
    await using resources = new AsyncDisposableStack();
    const server = resources.use(await ReplicatedPostgres.start());
    const settings = { ...SETTINGS, DATABASE_URL: server.url };
    const { secret } = await makeKey(settings, 'writer');
    const services: Serving[] = [];
    while (services.length < INSTANCES) services.push(resources.use(await serve(settings)));
    const [first] = services as [Serving];
    const confirmed = new Confirmed();
    let confirmedTooEarly = 0;
    let longestMoveMs = 0;

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
      const move = async (service: Serving, index: number) => {
        const sinceMs = performance.now();
        await eventually(() => create(service, `moved-${count}-${index}`));
        longestMoveMs = Math.max(longestMoveMs, performance.now() - sinceMs);
        await eventually(() => create(service, name));
      };
      for (const service of services) await eventually(() => create(service, `before-${count}`));
      await server.replaceWaitingPrimary(repeat, async () => {
        await Promise.all(services.map(move));
      });
    }
    const caller = apiCaller(first.started.api, secret);
    const { lost, reused } = await findLosses(caller, confirmed);
    const names = (await Array.fromAsync(caller.petsAfter(0))).map((pet) => pet.name);
    return [
      none('pets confirmed without the standby', confirmedTooEarly),
      none('confirmed pets lost', lost + reused),
      none('pets added twice', names.length - new Set(names).size),
      atMost(
        LONGEST_MOVE_SECONDS,
        'seconds until an instance used the new primary',
        Math.ceil(longestMoveMs / 1_000),
      ),
    ];
  },
};
