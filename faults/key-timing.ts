import { join } from 'node:path';
import { hashSecret } from '../src/stores/sql/tables.ts';
import { serve } from '../test/support/command.ts';
import { HttpConnection } from '../test/support/http-connection.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atLeast, atMost, type Fault, none } from './fault.ts';
import {
  addressV4,
  changeOne,
  randomDigits,
  requestWith,
  storeKeys,
  toSecret,
} from './key-guesses.ts';
import { pick, type Random } from './random.ts';
import { welchT } from './welch.ts';

const FULL = 100_000;
const CONTROL_SHARE = 0.1;
const KEYS = 16;
/** Beyond this, two sets of times differ for sure (dudect). */
const MAX_T = 4.5;

/** Compares character by character, and ends at the first difference: the mistake to look for. */
function compareLeakily(guess: string, key: string): void {
  for (let at = 0; at < key.length && guess[at] === key[at]; at++) hashSecret(key);
}

/** What the service must not do. The control does it while the clock runs. */
type Mistake = (guess: string, key: string) => void;

interface Times {
  readonly near: number[];
  readonly far: number[];
  /** Responses other than 401. */
  unexpected: number;
}

/**
 * Times guesses that are one character off a key that exists, or off one that does not. Both repeat
 * equally often, so caches treat them alike. Pairs would share the load of the machine and lower t.
 */
async function timeGuesses(
  connection: HttpConnection,
  ofEach: number,
  keys: readonly Uint8Array[],
  random: Random,
  onNear: () => void,
  mistake: Mistake = () => {},
): Promise<Times> {
  const targets = keys.map((key) => ({ key, secret: toSecret(key), decoy: randomDigits(random) }));
  const times: Times = { near: [], far: [], unexpected: 0 };
  for (let left = 2 * ofEach; left > 0; left--) {
    const isNear = random() < (ofEach - times.near.length) / left;
    const { key, secret, decoy } = pick(targets, random);
    const guess = toSecret(changeOne(isNear ? key : decoy, random));
    const request = requestWith(guess, addressV4(random));
    const startedAtMs = performance.now();
    const [status] = await connection.exchange(request);
    mistake(guess, secret);
    const tookMs = performance.now() - startedAtMs;
    (isNear ? times.near : times.far).push(tookMs);
    if (status !== 401) times.unexpected++;
    if (isNear) onNear();
  }
  return times;
}

function tOf({ near, far }: Times): number {
  return Math.round(100 * welchT(near, far)) / 100;
}

export const keyTiming: Fault = {
  name: 'key-timing',
  title: 'Near and far guesses of a key, told apart by time',
  unit: 'near and as many far guesses',
  amounts: { full: FULL, short: 1_000 },
  async run({ amount, random, step }) {
    using folder = temporaryFolder();
    const url = `sqlite:${join(folder.path, 'store.db')}`;
    const { active } = await storeKeys(url, random, KEYS);
    await using service = await serve({ DATABASE_URL: url, TRUSTED_PROXIES: '1' });
    await using connection = await HttpConnection.open(service.started.api);
    const times = await timeGuesses(connection, amount, active, random, step);
    const findings = [none('guesses with another response than 401', times.unexpected)];
    // Few times on a busy machine prove nothing.
    if (amount < FULL) return findings;
    const control = await timeGuesses(
      ...([connection, amount * CONTROL_SHARE, active, random] as const),
      () => {},
      compareLeakily,
    );
    return [
      ...findings,
      atMost(MAX_T, "Welch's t of near and far guesses", tOf(times)),
      atLeast(MAX_T, "Welch's t of a comparison that ends at the first difference", tOf(control)),
    ];
  },
};
