import { join } from 'node:path';
import { makeKey, serve } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atLeast, type Fault, none } from './fault.ts';
import { mutate } from './http-mutations.ts';
import { inParallel } from './in-parallel.ts';
import { Dice } from './random.ts';
import { exchange, HANG_MS } from './raw-connection.ts';
import { wellFormedRequests } from './raw-requests.ts';
import { responsesIn } from './raw-responses.ts';
import { errorLines, isAlive } from './service-state.ts';
import { readStrictly } from './strict-http.ts';

const CONNECTIONS = 64;
/** A request that is not whole may wait for its rest, so the client gives up. */
const GIVE_UP_MS = 100;
const HEALTH_CHECK_EVERY = 1_000;
const SHOWN = 10;

interface Attack {
  readonly bytes: string;
  /** Where the bytes are split into two packets. */
  readonly splitAt: number;
  readonly halfCloses: boolean;
}

function nextAttack(requests: readonly string[], dice: Dice): Attack {
  const mutated = mutate(dice.pick(requests), dice);
  const neighbour = dice.pick(requests);
  const bytes = dice.pick([mutated, mutated, mutated, mutated + neighbour, neighbour + mutated]);
  return {
    bytes,
    splitAt: dice.chance(0.2) ? dice.below(bytes.length) : 0,
    halfCloses: dice.chance(0.2),
  };
}

export const malformedHttp: Fault = {
  name: 'http',
  title: 'Malformed HTTP on raw sockets',
  unit: 'mutated requests',
  amounts: { full: 100_000, short: 1_500 },
  async run({ amount, random, step }) {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    const { secret } = await makeKey(settings, 'attacker');
    await using service = await serve(settings);
    const dice = new Dice(random);
    const requests = wellFormedRequests(secret);
    const totals = { crashes: 0, hangs: 0, failures: 0, misread: 0, served: 0 };
    let tried = 0;

    await inParallel(
      amount,
      CONNECTIONS,
      () => nextAttack(requests, dice),
      async (attack) => {
        const { bytes, splitAt, halfCloses } = attack;
        const strict = readStrictly(bytes);
        const sent = Buffer.from(bytes, 'latin1');
        const { received, timedOut } = await exchange(service.started.api, {
          parts: splitAt === 0 ? [sent] : [sent.subarray(0, splitAt), sent.subarray(splitAt)],
          isDone: (text) => strict.isWhole && responsesIn(text).length >= strict.requests,
          halfCloses,
          timeoutMs: strict.isWhole ? HANG_MS : GIVE_UP_MS,
        });
        const responses = responsesIn(received);
        const served = responses.filter(({ isOurs }) => isOurs);
        totals.served += served.length;
        if (strict.isWhole && timedOut && totals.hangs++ < SHOWN) {
          console.error(
            `No response, split at ${splitAt}, received ${JSON.stringify(received)}: ${JSON.stringify(bytes)}`,
          );
        }
        // The runtime responds 505 to other versions of HTTP, as it should.
        if (responses.some(({ status }) => status >= 500 && status !== 505)) totals.failures++;
        if (served.length > strict.servable && totals.misread++ < SHOWN) {
          console.error(
            `Served ${served.length}, not ${strict.servable}: ${JSON.stringify(bytes)}`,
          );
        }
        if (++tried % HEALTH_CHECK_EVERY === 0 && !(await isAlive(service))) totals.crashes++;
        step();
      },
    );
    if (!(await isAlive(service))) totals.crashes++;
    return [
      none('crashes', totals.crashes),
      none('hangs', totals.hangs),
      none('responses with a 5xx status', totals.failures),
      none('error lines in the log', errorLines(service).length),
      none('requests served that a strict parser does not see', totals.misread),
      atLeast(Math.floor(amount / 4), 'requests served', totals.served),
    ];
  },
};
