import { join } from 'node:path';
import { MAX_BODY_BYTES } from '../src/contract/api.ts';
import { makeKey, serve } from '../test/support/command.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atLeast, type Fault, none } from './fault.ts';
import { inParallel } from './in-parallel.ts';
import { newBody } from './json-bodies.ts';
import { JsonJudge } from './json-judge.ts';
import { Dice } from './random.ts';
import { errorLines } from './service-state.ts';

const CALLERS = 16;
const PAGE = 100;
/** Most of the bodies must not be refused for the same reason, or the attack proves little. */
const ACCEPTED_SHARE = 0.2;
const SHOWN = 10;

export const jsonFuzz: Fault = {
  name: 'json',
  title: 'Generated bodies for createPet, judged by another validator',
  unit: 'bodies',
  amounts: { full: 100_000, short: 1_000 },
  async run({ amount, random, step }) {
    using folder = temporaryFolder();
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, 'store.db')}` };
    const { secret } = await makeKey(settings, 'attacker');
    await using service = await serve(settings);
    await using judge = new JsonJudge();
    const dice = new Dice(random);
    const { api } = service.started;
    const authorization = { Authorization: `Bearer ${secret}` };
    const get = async (path: string) => {
      const response = await fetch(`${api}${path}`, { headers: authorization });
      if (response.status !== 200) throw new Error(`${path} responded ${response.status}`);
      return await response.text();
    };
    const created = new Map<number, Uint8Array<ArrayBuffer>>();
    const totals = { disagreements: 0, different: 0, failures: 0 };

    const attack = async (body: Uint8Array<ArrayBuffer>) => {
      const response = await fetch(`${api}/pets`, {
        method: 'POST',
        headers: { ...authorization, 'Content-Type': 'application/json' },
        body,
      });
      const text = await response.text();
      const fits = body.length <= MAX_BODY_BYTES;
      const refusal = fits ? 400 : 413;
      const expected = fits && (await judge.accepts(body)) ? 201 : refusal;
      if (response.status >= 500) totals.failures++;
      if (response.status !== expected && totals.disagreements++ < SHOWN) {
        const shown = JSON.stringify(Buffer.from(body).toString('latin1').slice(0, 500));
        console.error(`Expected ${expected}, got ${response.status} for ${shown}: ${text}`);
      }
      if (response.status === 201 && expected === 201) {
        const id = Number(response.headers.get('location')?.split('/').at(-1));
        created.set(id, body);
        const received = `[${text},${await get(`/pets/${id}`)}]`;
        const sent = [body, body];
        totals.different += await judge.countDifferent({ sent, ids: [id, id], received });
      }
      step();
    };
    await inParallel(amount, CALLERS, () => newBody(dice), attack);

    const pets = [...created].sort(([a], [b]) => a - b);
    for (let at = 0; at < pets.length; at += PAGE) {
      const page = pets.slice(at, at + PAGE);
      const after = (page[0]?.[0] ?? 0) - 1;
      const received = await get(`/pets?limit=${page.length}&after=${after}`);
      const ids = page.map(([id]) => id);
      const sent = page.map(([, body]) => body);
      totals.different += await judge.countDifferent({ sent, ids, received });
    }
    return [
      none('responses that disagree with the schema', totals.disagreements),
      none('pets stored differently than sent', totals.different),
      none('responses with a 5xx status', totals.failures),
      none('error lines in the log', errorLines(service).length),
      atLeast(Math.floor(amount * ACCEPTED_SHARE), 'pets created', created.size),
    ];
  },
};
