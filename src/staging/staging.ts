import { TEST_TIME, TEST_TIME_HEADER, TEST_TIME_RULE } from '#contract/environment.ts';
import type { ResponseParts } from '#contract/exchange.ts';
import { withDate } from '#contract/headers.ts';
import { type KnownKey, stateForRequests } from '#domain/api-key.ts';
import type { EnvironmentStore } from '#domain/environment.ts';
import type { Token } from '#domain/key-secret.ts';
import type { Steps } from '#http/answer.ts';
import type { Call } from '#http/authenticate.ts';
import { parseRehearsal, type Rehearsal, refuseHeader } from './rehearsals.ts';
import { seededRandom } from './seeded-random.ts';

/** What `X-Test-Time: now` asks for. It is earlier than any time. */
const REAL_TIME = -Infinity;

/** Decorates the steps of the pipeline: moves test clocks, and lets requests fail as their key asks. */
export class StagingSteps implements Steps {
  readonly #rehearsals = new WeakMap<Call, Rehearsal>();
  /** For each flaky key, the numbers that decide which requests fail. A restart begins them again. */
  readonly #randoms = new Map<number, () => number>();

  constructor(
    private readonly steps: Steps,
    private readonly store: EnvironmentStore,
  ) {}

  /** Finds a key as of the test time of its account, which the request may move. */
  async findKey(call: Call, token: Token): Promise<KnownKey | undefined> {
    const known = await this.steps.findKey(call, token);
    // To look at the usage of a key changes nothing, and never fails as the key asks.
    if (!call.route.isApi) return known;
    const testTime = call.request.headers.get(TEST_TIME_HEADER);
    // The key must be active at the real time, not at the test time. A key that has expired only at the test
    // time can therefore still return to the real time.
    if (!known || testTime === null || stateForRequests(known, call.nowMs) !== 'active') {
      return this.#rehearse(call, known, token);
    }
    const toMs = testTime === 'now' ? REAL_TIME : Date.parse(testTime.toUpperCase());
    const brokenRule = TEST_TIME.test(testTime)
      ? await this.#moveClock(known, toMs, call.nowMs)
      : TEST_TIME_RULE;
    if (brokenRule !== undefined) {
      this.#rehearsals.set(call, refuseHeader(TEST_TIME_HEADER, brokenRule));
      return known;
    }
    const moved = await this.steps.findKey(call, token);
    if (moved === undefined) return undefined;
    // A request never sees an earlier time than the one that it asks for. It could, because the real clock of this
    // instance may be behind that of the instance that moved the test clock.
    const clockOffsetMs = Math.max(moved.clockOffsetMs, toMs - call.nowMs);
    return this.#rehearse(call, { ...moved, clockOffsetMs }, token);
  }

  count(call: Call) {
    return this.#rehearsalOf(call)?.count?.(call) ?? this.steps.count(call);
  }

  serve(call: Call, key: KnownKey) {
    const serve = () => this.steps.serve(call, key);
    return this.#rehearsalOf(call)?.serve?.(call, serve) ?? serve();
  }

  /** Clients calculate from the date how long to wait, so the date follows the test clock. */
  respond(call: Call, parts: ResponseParts): Response {
    return withDate(this.steps.respond(call, parts), call.timeMs);
  }

  /** If a key is not accepted, the caller gets the error for that, and never the failure that the key asks for. */
  #rehearsalOf(call: Call): Rehearsal | undefined {
    return call.key && this.#rehearsals.get(call);
  }

  /** Sets the clock of an account to a time. Returns the rule that the time breaks, if it breaks one. */
  async #moveClock(
    { accountId, clockSetToMs, clockOffsetMs }: KnownKey,
    toMs: number,
    nowMs: number,
  ): Promise<string | undefined> {
    if (toMs === REAL_TIME) {
      await this.store.resetAccount(accountId, nowMs);
      return undefined;
    }
    if (clockSetToMs === toMs) return undefined;
    const isPut = await this.store.putClock(accountId, toMs, nowMs);
    return isPut ? undefined : timeRule(clockOffsetMs, nowMs);
  }

  /** Prepares the failure that a key asks for. Returns the key in the state that the failure needs. */
  #rehearse(call: Call, known: KnownKey | undefined, { rehearsal: name }: Token) {
    if (known === undefined || name === undefined) return known;
    const random = this.#randoms.getOrInsertComputed(known.id, seededRandom);
    const rehearsal = parseRehearsal(name, random);
    this.#rehearsals.set(call, rehearsal);
    return rehearsal.find?.(known) ?? known;
  }
}

function timeRule(clockOffsetMs: number, nowMs: number): string {
  const time = new Date(nowMs + clockOffsetMs).toISOString();
  return clockOffsetMs === 0
    ? `must not be before the present, which is ${time}`
    : `must not be before the test time of the account, which is ${time}; ` +
        `send ${TEST_TIME_HEADER}: now to start over from the real time`;
}
