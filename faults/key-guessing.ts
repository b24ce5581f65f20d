import { mintSecret } from '#domain/key-secret.ts';
import { HttpConnection } from '../test/faults/http-connection.ts';
import { serveWithKey } from '../test/support/command.ts';
import { head } from '../test/support/http.ts';
import { atMost, type Fault, none } from './fault.ts';
import { MemoryTrend } from './memory-trend.ts';
import { below, ownRandom, pick, type Random } from './random.ts';

const CONNECTIONS = 8;
const PIPELINED = 500;
/**
 * The caches of unknown keys and addresses are full after the first tenth, so this only allows for the noise of
 * the measurement. Without a limit, either cache would add 80 MB or more.
 */
const ALLOWED_MB = 20;
const FULL = 1_000_000;

/** A well-formed key that was never issued. */
export function unknownKey(random: Random): string {
  return mintSecret((count) => Uint8Array.from({ length: count }, () => below(256, random)));
}

/** A key that differs from the real key, often only in a few characters. */
function wrongKey(secret: string, random: Random): string {
  const kind = random();
  if (kind < 0.5) return unknownKey(random);
  if (kind < 0.7) return secret.slice(0, -1 - below(20, random));
  const at = secret.length - 1 - below(20, random);
  return `${secret.slice(0, at)}${secret[at] === 'a' ? 'b' : 'a'}${secret.slice(at + 1)}`;
}

/** The address of a request: always the same, a random IPv4 address, or an address in a random IPv6 network. */
const ADDRESSES: readonly ((random: Random) => string)[] = [
  () => '192.0.2.1',
  (random) => `10.${below(256, random)}.${below(256, random)}.${below(256, random)}`,
  (random) =>
    `2001:db8:${below(65_536, random).toString(16)}:${below(65_536, random).toString(16)}::1`,
];

function requestWith(secret: string, address: string): string {
  const headers = [`X-Forwarded-For: ${address}`, `Authorization: Bearer ${secret}`];
  return head('GET /v1/pets HTTP/1.1', ...headers);
}

export const keyGuessing: Fault = {
  name: 'key-guessing',
  title: 'Wrong keys, from one IPv4 address, from many, and from many IPv6 networks',
  unit: 'wrong keys',
  amounts: { full: FULL, short: 20_000 },
  async run({ amount, random }) {
    await using service = await serveWithKey({ TRUSTED_PROXIES: '1' });
    const { secret } = service;
    const totals = { accepted: 0, unexpected: 0, heldBack: 0 };
    const memory = new MemoryTrend(service.pid, amount);
    let left = amount;

    /** Sends wrong keys, and then the real one from the last attacking address. */
    const sendBatch = async (connection: HttpConnection, guesses: number, own: Random) => {
      const addressOf = pick(ADDRESSES, own);
      let [requests, address] = ['', ''];
      for (let guess = 0; guess < guesses; guess++) {
        address = addressOf(own);
        requests += requestWith(wrongKey(secret, own), address);
      }
      requests += requestWith(secret, address);
      const statuses = await connection.exchange(requests, guesses + 1);
      if (statuses.at(-1) !== 200) totals.heldBack++;
      for (const status of statuses.slice(0, -1)) {
        if (status < 300) totals.accepted++;
        else if (status !== 401 && status !== 429) totals.unexpected++;
      }
    };
    const attack = async (own: Random) => {
      await using connection = await HttpConnection.open(service.started.api);
      while (left > 0) {
        const guesses = Math.min(PIPELINED, left);
        left -= guesses;
        await sendBatch(connection, guesses, own);
        memory.sample(amount - left);
      }
    };
    const attackers = Array.from({ length: CONNECTIONS }, () => ownRandom(random));
    await Promise.all(attackers.map(attack));
    const findings = [
      none('wrong keys accepted', totals.accepted),
      none('responses other than 401 and 429', totals.unexpected),
      none('requests with the real key that were refused', totals.heldBack),
    ];
    // A short attack ends before the memory of the service has settled.
    if (amount === FULL) {
      findings.push(
        atMost(ALLOWED_MB, 'MB of memory added after the first tenth of the keys', memory.grownMb),
      );
    }
    return findings;
  },
};
