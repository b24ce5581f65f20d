import { join } from 'node:path';
import { eventually, makeKey, serve } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atLeast, type Fault, none } from './fault.ts';
import { inParallel } from './in-parallel.ts';
import { Dice } from './random.ts';
import { exchange, HANG_MS } from './raw-connection.ts';
import { head } from './raw-requests.ts';
import { responsesIn } from './raw-responses.ts';
import { errorLines, isAlive } from './service-state.ts';
import { type Outer, SHAPES } from './smuggling-shapes.ts';
import { readStrictly } from './strict-http.ts';

const CONNECTIONS = 16;
const CONTROLS = 10;
/** The runtime serves what is pipelined behind these, since their responses do not wait for a disk. */
const REQUEST_LINES = [
  'POST /v1/nothing HTTP/1.1',
  'GET /v1/pets HTTP/1.1',
  'DELETE /v1/pets/1 HTTP/1.1',
  'POST /docs HTTP/1.1',
  'POST /v1/pets HTTP/1.1',
];

export const smuggling: Fault = {
  name: 'smuggling',
  title: 'Requests hidden in other requests, in every classic shape',
  unit: 'hidden requests',
  amounts: { full: 20_000, short: 2 * SHAPES.length },
  async run({ amount, random, step }) {
    using folder = temporaryFolder();
    const settings = {
      DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}`,
      LOG_LEVEL: 'info',
    };
    const { secret } = await makeKey(settings, 'attacker');
    await using service = await serve(settings);
    const dice = new Dice(random);
    const key = `Authorization: Bearer ${secret}`;
    const hidden = (path: string) => head(`GET /v1/${path} HTTP/1.1`, key);
    const newOuter = (): Outer => ({
      requestLine: dice.pick(REQUEST_LINES),
      headers: dice.chance(0.5) ? [key, 'Content-Type: application/json'] : [key],
    });
    const totals = { hangs: 0, surplus: 0, failures: 0 };

    let next = 0;
    const nextAttack = () => {
      const shape = SHAPES[next++ % SHAPES.length] as (typeof SHAPES)[number];
      const bytes = Buffer.from(shape.bytes(newOuter(), hidden('hidden')), 'latin1');
      const splitAt = dice.chance(0.3) ? dice.below(bytes.length) : 0;
      return { shape, bytes, splitAt };
    };
    await inParallel(amount, CONNECTIONS, nextAttack, async ({ shape, bytes, splitAt }) => {
      const { received, timedOut } = await exchange(service.started.api, {
        parts: [bytes.subarray(0, splitAt), bytes.subarray(splitAt)].filter(
          (part) => part.length > 0,
        ),
        // The service closes the connection of a malformed request.
        isDone: (text) => !shape.isMalformed && responsesIn(text).length > 0,
        halfCloses: false,
        timeoutMs: HANG_MS,
      });
      const responses = responsesIn(received);
      if (timedOut) totals.hangs++;
      if (responses.some(({ status }) => status >= 500)) totals.failures++;
      const served = responses.filter(({ isOurs }) => isOurs).length;
      if (served > readStrictly(bytes.toString('latin1')).servable) totals.surplus++;
      step();
    });

    // A request that is not hidden must be visible, or the count of hidden ones proves nothing.
    for (let control = 0; control < CONTROLS; control++) {
      const bytes = hidden('first') + hidden('control');
      await exchange(service.started.api, {
        parts: [Buffer.from(bytes, 'latin1')],
        isDone: (text) => responsesIn(text).length === 2,
        halfCloses: false,
        timeoutMs: HANG_MS,
      });
    }
    const logged = (path: string) => service.stderr().split(`"path":"/v1/${path}"`).length - 1;
    await fetch(`${service.started.api}/end`);
    await eventually(() => logged('end') > 0);
    return [
      none('hidden requests served', logged('hidden')),
      atLeast(CONTROLS, 'requests served that were not hidden', logged('control')),
      none('connections kept open after a malformed request', totals.hangs),
      none('requests served that a strict parser refuses', totals.surplus),
      none('responses with a 5xx status', totals.failures),
      none('error lines in the log', errorLines(service).length),
      none('crashes', (await isAlive(service)) ? 0 : 1),
    ];
  },
};
