import { join } from 'node:path';
import { serve } from '../test/support/command.ts';
import { HttpConnection } from '../test/support/http-connection.ts';
import { temporaryFolder } from '../test/support/temporary-folder.ts';
import { atMost, type Fault, none } from './fault.ts';
import {
  addressV4,
  addressV6,
  requestWith,
  type StoredKeys,
  storeKeys,
  toSecret,
  wrongKey,
} from './key-guesses.ts';
import { MemoryTrend } from './memory-trend.ts';
import { below, ownRandom, pick, type Random } from './random.ts';

const CONNECTIONS = 8;
const PIPELINED = 500;
const REAL_KEYS = 16;
/**
 * The caches of unknown keys and addresses are full after the first tenth, so this is only what memory
 * swings by. Without a limit, either of them would add 80 MB or more.
 */
const ALLOWED_MB = 20;
const FULL = 1_000_000;

/** One address that never changes, then many. */
const ADDRESSES: readonly ((random: Random) => string)[] = [
  () => '192.0.2.1',
  addressV4,
  addressV6,
];

interface Outcomes {
  accepted: number;
  /** Neither 401 nor 429. */
  unexpected: number;
  /** Requests with a real key that were not served. */
  heldBack: number;
}

/** Wrong keys, with a real key from an attacking address in their midst. */
async function sendBatch(
  connection: HttpConnection,
  guesses: number,
  keys: StoredKeys,
  random: Random,
  outcomes: Outcomes,
): Promise<void> {
  const addressOf = pick(ADDRESSES, random);
  const realAt = below(guesses + 1, random);
  let address = addressOf(random);
  let requests = '';
  for (let at = 0; at <= guesses; at++) {
    if (at === realAt) {
      requests += requestWith(toSecret(pick(keys.active, random)), address);
      continue;
    }
    address = addressOf(random);
    requests += requestWith(wrongKey(keys, random), address);
  }
  const statuses = await connection.exchange(requests, guesses + 1);
  for (const [at, status] of statuses.entries()) {
    if (at === realAt) {
      if (status !== 200) outcomes.heldBack++;
    } else if (status < 300) outcomes.accepted++;
    else if (status !== 401 && status !== 429) outcomes.unexpected++;
  }
}

export const keyGuessing: Fault = {
  name: 'key-guessing',
  title: 'Wrong keys, from one IPv4 address, from many, and from many IPv6 networks',
  unit: 'wrong keys',
  amounts: { full: FULL, short: 20_000 },
  async run({ amount, random, step }) {
    using folder = temporaryFolder();
    const url = `sqlite:${join(folder.path, 'store.db')}`;
    const keys = await storeKeys(url, random, REAL_KEYS);
    await using service = await serve({ DATABASE_URL: url, TRUSTED_PROXIES: '1' });
    const outcomes = { accepted: 0, unexpected: 0, heldBack: 0 };
    let left = amount;
    const memory = new MemoryTrend(service.pid, amount);
    const attack = async (attackerRandom: Random) => {
      await using connection = await HttpConnection.open(service.started.api);
      while (left > 0) {
        const guesses = Math.min(PIPELINED, left);
        left -= guesses;
        await sendBatch(connection, guesses, keys, attackerRandom, outcomes);
        step(guesses);
        memory.sample(amount - left);
      }
    };
    const attackers = Array.from({ length: CONNECTIONS }, () => ownRandom(random));
    await Promise.all(attackers.map(attack));
    return [
      none('wrong keys accepted', outcomes.accepted),
      none('responses other than 401 and 429', outcomes.unexpected),
      none('requests with a real key held back', outcomes.heldBack),
      // A short attack ends before the memory of the service has settled.
      ...(amount < FULL
        ? []
        : [atMost(ALLOWED_MB, 'MB of memory added after the first tenth', memory.grownMb)]),
    ];
  },
};
