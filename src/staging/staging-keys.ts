import { TEST_TIME_HEADER, TEST_TIME_RULE } from '../contract/staging.ts';
import { type KeyFinder, type KnownKey, toKnownKey } from '../domain/api-key.ts';
import type { StagingStore, TestClock, TestState } from '../domain/staging.ts';
import { parseTestTime } from './test-time.ts';

/** The clock that a request is served by, and the reason why it could not move it. */
interface Moved {
  readonly clock: TestClock;
  readonly rejectedTime?: string;
}

/** Finds keys as of the test time of their account, which a request can move with a header. */
export class StagingKeys {
  readonly #keys: KeyFinder;
  readonly #store: StagingStore;

  constructor(keys: KeyFinder, store: StagingStore) {
    this.#keys = keys;
    this.#store = store;
  }

  keysFor(headers: Headers, nowMs: number): KeyFinder {
    return { findKey: (secret) => this.#findKey(secret, headers.get(TEST_TIME_HEADER), nowMs) };
  }

  async #findKey(
    secret: string,
    testTime: string | null,
    nowMs: number,
  ): Promise<KnownKey | undefined> {
    const known = await this.#keys.findKey(secret);
    if (known === undefined) return undefined;
    const state = await this.#store.findTestState(known.key.id, known.account.id);
    // A key that has expired only in test time can still return to the real time.
    const canMove = testTime !== null && nowMs < known.endsAtMs;
    if (!canMove) return asOf(known, state, { clock: state.clock });
    const moved = await this.#move(known, state.clock, testTime, nowMs);
    // To leave the test time also lifts bans, which changes the key.
    const isNewEpoch = moved.clock.epoch !== state.clock.epoch;
    const current = isNewEpoch ? await this.#keys.findKey(secret) : known;
    return current && asOf(current, state, moved);
  }

  async #move(
    { account }: KnownKey,
    clock: TestClock,
    testTime: string,
    nowMs: number,
  ): Promise<Moved> {
    const to = parseTestTime(testTime);
    if (to === undefined) return { clock, rejectedTime: TEST_TIME_RULE };
    const isThere = to === 'now' ? clock.offsetMs === 0 : clock.putToMs === to;
    const { clock: moved, isMoved } = isThere
      ? { clock, isMoved: true }
      : await this.#store.moveClock(account.id, to, nowMs);
    if (!isMoved) return { clock: moved, rejectedTime: notBefore(moved, nowMs) };
    // Another request may have put the clock there a moment after this one arrived.
    const offsetMs = to === 'now' ? 0 : Math.max(moved.offsetMs, to - nowMs);
    return { clock: { ...moved, offsetMs } };
  }
}

function notBefore({ offsetMs }: TestClock, nowMs: number): string {
  const time = new Date(nowMs + offsetMs).toISOString();
  return offsetMs === 0
    ? `must not be before the present, which is ${time}`
    : `must not be before the test time of the account, which is ${time}; ` +
        `send ${TEST_TIME_HEADER}: now to start over from the real time`;
}

/** The rest of the program compares a key with the real time, so its expiry moves instead. */
function asOf(
  { key, account }: KnownKey,
  { simulation }: TestState,
  { clock, rejectedTime }: Moved,
): KnownKey {
  const { offsetMs, epoch } = clock;
  const expiresAtMs = key.expiresAtMs === null ? null : key.expiresAtMs - offsetMs;
  const { caller, ...known } = toKnownKey(
    {
      ...{ ...key, expiresAtMs },
      ...(simulation?.kind === 'expired_api_key' && { expiresAtMs: 0 }),
      ...(simulation?.kind === 'revoked_api_key' && { revokedAtMs: 0 }),
    },
    account,
  );
  return { ...known, caller: { ...caller, test: { offsetMs, epoch, simulation, rejectedTime } } };
}
