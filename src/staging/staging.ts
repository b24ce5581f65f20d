// What only a staging deployment does: test clocks, and the rehearsals of failures. The service puts it
// into the pipeline with STAGING=on. It changes what a request finds or gets, and stores nothing but the
// clock.

import type { FoundKey, Rehearsals } from '../contract/call.ts';
import { TEST_TIME, TEST_TIME_HEADER, TEST_TIME_RULE } from '../contract/environment.ts';
import { problem } from '../contract/errors.ts';
import { type KeyFinder, type KnownKey, stateForRequests } from '../domain/api-key.ts';
import type { EnvironmentStore } from '../domain/environment.ts';
import type { Token } from '../domain/key-secret.ts';
import { seededRandom } from '../domain/seeded-random.ts';
import { NAMES_IN_WORDS, parseRehearsal } from './rehearsals.ts';

/** Moves test clocks, and makes requests fail as their key asks. */
export class Staging implements Rehearsals {
  readonly environment = 'staging';
  readonly #keys: KeyFinder;
  readonly #store: EnvironmentStore;
  /** For each key, where it is flaky. It begins again when the service starts. */
  readonly #randoms = new Map<number, () => number>();

  /** The keys must not be cached: a clock moved by one instance holds on the others at once. */
  constructor(keys: KeyFinder, store: EnvironmentStore) {
    this.#keys = keys;
    this.#store = store;
  }

  async findKey({ secret, rehearsal }: Token, headers: Headers, nowMs: number): Promise<FoundKey> {
    const known = await this.#keys.findKey(secret);
    if (known === undefined) return { known };
    const testTime = headers.get(TEST_TIME_HEADER);
    // A key that has expired only in test time can still return to the real time.
    if (testTime === null || stateForRequests(known, nowMs) !== 'active') {
      return this.#rehearse(known, rehearsal);
    }
    const to = parseTestTime(testTime);
    const brokenRule = to === undefined ? TEST_TIME_RULE : await this.#moveClock(known, to, nowMs);
    if (brokenRule !== undefined) {
      return {
        known,
        rejection: problem('invalid_parameter', `header ${TEST_TIME_HEADER}`, brokenRule),
      };
    }
    const moved = await this.#keys.findKey(secret);
    return this.#rehearse(moved && notBefore(moved, to, nowMs), rehearsal);
  }

  /** Puts the clock of an account to a time. Returns the rule that the time breaks. */
  async #moveClock(
    { accountId, clockPutToMs, clockOffsetMs }: KnownKey,
    to: number | 'now',
    nowMs: number,
  ): Promise<string | undefined> {
    if (to === 'now') {
      await this.#store.resetAccount(accountId, nowMs);
      return undefined;
    }
    if (clockPutToMs === to) return undefined;
    const isPut = await this.#store.putClock(accountId, to, nowMs);
    return isPut ? undefined : timeRule(clockOffsetMs, nowMs);
  }

  #rehearse(known: KnownKey | undefined, name: string | undefined): FoundKey {
    if (known === undefined || name === undefined) return { known };
    const rehearsal = parseRehearsal(name, this.#random(known.id));
    if (rehearsal === undefined) {
      const rule = `must end after "~" with ${NAMES_IN_WORDS}`;
      return { known, rejection: problem('invalid_parameter', 'header Authorization', rule) };
    }
    return { known: rehearsal.find?.(known) ?? known, rehearsal };
  }

  #random(keyId: number): () => number {
    const random = this.#randoms.get(keyId) ?? seededRandom(keyId);
    this.#randoms.set(keyId, random);
    return random;
  }
}

/** The clock of this instance may be behind that of the instance that moved the test clock. */
function notBefore(known: KnownKey, to: number | 'now' | undefined, nowMs: number): KnownKey {
  if (typeof to !== 'number' || to - nowMs <= known.clockOffsetMs) return known;
  return { ...known, clockOffsetMs: to - nowMs };
}

/** Undefined for a value that breaks the rule. */
function parseTestTime(text: string): number | 'now' | undefined {
  if (!TEST_TIME.test(text)) return undefined;
  return text === 'now' ? text : Date.parse(text.toUpperCase());
}

function timeRule(clockOffsetMs: number, nowMs: number): string {
  const time = new Date(nowMs + clockOffsetMs).toISOString();
  return clockOffsetMs === 0
    ? `must not be before the present, which is ${time}`
    : `must not be before the test time of the account, which is ${time}; ` +
        `send ${TEST_TIME_HEADER}: now to start over from the real time`;
}
