import { type Problem, problem } from '../contract/errors.ts';
import { TEST_TIME_HEADER } from '../contract/staging.ts';
import { type KeyFinder, type KnownKey, toKnownKey } from '../domain/api-key.ts';
import type { Token } from '../domain/key-secret.ts';
import { FAILURE_FORMS, type Failure, parseFailure, type StagingStore } from '../domain/staging.ts';
import { SimulatedFailures, simulatedRefusal } from './failures.ts';
import { moveClock, parseTestTime } from './test-clock.ts';

/** A key as of the test time of its account, and what its request asks for. */
interface Found {
  readonly known: KnownKey | undefined;
  readonly failure?: Failure | undefined;
  readonly problem?: Problem | undefined;
}

/** What only staging does with a request: it moves test clocks, and fails as the key asks. */
export class Staging {
  readonly #keys: KeyFinder;
  readonly #store: StagingStore;
  readonly #failures = new SimulatedFailures();

  /** The keys must not be cached: a clock moved by one instance holds on the others at once. */
  constructor(keys: KeyFinder, store: StagingStore) {
    this.#keys = keys;
    this.#store = store;
  }

  async findKey({ secret, failureName }: Token, headers: Headers, nowMs: number): Promise<Found> {
    const known = await this.#keys.findKey(secret);
    if (known === undefined) return { known };
    const testTime = headers.get(TEST_TIME_HEADER);
    // A key that has expired only in test time can still return to the real time.
    if (testTime !== null && nowMs < known.endsAtMs) {
      const wrongTime = await moveClock(this.#store, known.account, testTime, nowMs);
      if (wrongTime !== undefined) return { known, problem: wrongTime };
      const moved = await this.#keys.findKey(secret);
      return this.#withFailure(moved && notBefore(moved, testTime, nowMs), failureName);
    }
    return this.#withFailure(known, failureName);
  }

  readonly refuse = simulatedRefusal;

  readonly serve = this.#failures.serve.bind(this.#failures);

  #withFailure(known: KnownKey | undefined, name: string | undefined): Found {
    if (known === undefined || name === undefined) return { known };
    const failure = parseFailure(name);
    if (failure === undefined) {
      const rule = `must end after "~" with ${FAILURE_FORMS}`;
      return { known, problem: problem('invalid_parameter', 'header Authorization', rule) };
    }
    const { key, account } = known;
    switch (failure.kind) {
      case 'expired_api_key':
        return { known: toKnownKey({ ...key, expiresAtMs: 0 }, account) };
      case 'revoked_api_key':
        return { known: toKnownKey({ ...key, revokedAtMs: 0 }, account) };
      default:
        return { known, failure };
    }
  }
}

/** The clock of this instance may be behind that of the instance that moved the test clock. */
function notBefore(known: KnownKey, testTime: string, nowMs: number): KnownKey {
  const { key, account } = known;
  const to = parseTestTime(testTime);
  if (typeof to !== 'number' || to - nowMs <= account.clockOffsetMs) return known;
  return toKnownKey(key, { ...account, clockOffsetMs: to - nowMs });
}
