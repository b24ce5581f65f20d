import { setTimeout } from 'node:timers/promises';
import type { Call, ResponseParts, Serve } from '../contract/call.ts';
import { OPERATIONS, REMOVALS } from '../contract/operations.ts';
import { BAN_RULES, refusalByBan } from '../domain/ban.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import {
  type Caller,
  countsAt,
  type Decision,
  quotaOf,
  takeRequest,
} from '../domain/rate-limit.ts';

/** Errors that a test key gets on demand, each the same as the real one. */
export const SIMULATED_ERRORS = [
  'rate_limit_minute',
  'rate_limit_day',
  'api_key_banned',
  'expired_api_key',
  'revoked_api_key',
  'service_unavailable',
  'internal_error',
  'operation_removed',
] as const;

type SimulatedError = (typeof SIMULATED_ERRORS)[number];

/** A failure that a request asks for, by a name after its test key and `~`. */
export type Failure =
  | { readonly kind: SimulatedError }
  | { readonly kind: 'slow'; readonly seconds: number }
  /** The connection closes: before the request is served, or after its pet is committed. */
  | { readonly kind: 'drop' | 'drop-after-commit' }
  /** Some of the requests fail, with 503 or a lost response. */
  | { readonly kind: 'flaky'; readonly percent: number };

const MAX_SLOW_SECONDS = 10;

/** All names of failures, in words. */
export const FAILURE_FORMS =
  `one of ${SIMULATED_ERRORS.join(', ')}, slow-2s (up to ${MAX_SLOW_SECONDS}s), ` +
  'drop, drop-after-commit or flaky-30 (1 to 100 percent)';

/** Undefined for any other name. */
export function parseFailure(name: string): Failure | undefined {
  const error = SIMULATED_ERRORS.find((code) => code === name);
  if (error !== undefined) return { kind: error };
  if (name === 'drop' || name === 'drop-after-commit') return { kind: name };
  const seconds = Number(/^slow-(\d{1,2}(?:\.\d{1,3})?)s$/.exec(name)?.[1]);
  if (seconds > 0 && seconds <= MAX_SLOW_SECONDS) return { kind: 'slow', seconds };
  const percent = Number(/^flaky-(\d{1,3})$/.exec(name)?.[1]);
  return percent >= 1 && percent <= 100 ? { kind: 'flaky', percent } : undefined;
}

/** Applies a failure to one request. */
export class Rehearsal {
  readonly #failure: Failure;
  readonly #random: () => number;

  /** `random` says where the requests of a flaky key fail. */
  constructor(failure: Failure, random: () => number) {
    this.#failure = failure;
    this.#random = random;
  }

  /** The decision that the failure stands for. Undefined if the limiter must decide. */
  refuse(caller: Caller, nowMs: number): Decision | undefined {
    const counts = countsAt(undefined, caller.subject, nowMs);
    switch (this.#failure.kind) {
      case 'rate_limit_minute':
        return takeRequest({ ...counts, minuteUsed: caller.perMinute }, caller, nowMs);
      case 'rate_limit_day':
        return takeRequest({ ...counts, dayUsed: caller.perDay }, caller, nowMs);
      case 'api_key_banned': {
        const bannedUntilSeconds = Math.floor(nowMs / 1000) + BAN_RULES.firstBanSeconds;
        return refusalByBan({ bannedUntilSeconds }, quotaOf(counts, caller), nowMs);
      }
      default:
        return undefined;
    }
  }

  async serve(call: Call, serve: Serve): Promise<ResponseParts> {
    const { request, route } = call;
    const isWrite = route.operation !== undefined && OPERATIONS[route.operation].method !== 'GET';
    const asked = this.#failure;
    const failure =
      asked.kind === 'flaky' ? flakyFailure(this.#random(), asked.percent, isWrite) : asked;
    switch (failure?.kind) {
      case 'service_unavailable':
        throw new StoreUnavailableError(new Error('The key asks for this failure'));
      case 'internal_error':
        throw new Error('The key asks for an internal error');
      case 'operation_removed': {
        const removedAtMs = REMOVALS.get(route.operation ?? '');
        if (removedAtMs === undefined) break;
        return serve({ ...call, timeMs: removedAtMs });
      }
      case 'slow':
        // Shorter if the client leaves.
        await setTimeout(failure.seconds * 1000, undefined, { signal: request.signal }).catch(
          () => {},
        );
        break;
      case 'drop':
        return lost(503);
    }
    const parts = await serve(call);
    // A retry with the same Idempotency-Key commits nothing, and gets its response.
    const isReplayed = parts.headers?.['Idempotent-Replayed'] !== undefined;
    const isCommit = isWrite && parts.status < 300 && !isReplayed;
    return failure?.kind === 'drop-after-commit' && isCommit ? lost(parts.status) : parts;
  }
}

/** The runtime closes the connection of a response whose body fails at once, before it sends anything. */
function lost(status: number): ResponseParts {
  const body = new ReadableStream({ start: (controller) => controller.error() });
  return { status, body };
}

/** One random number decides all, so that the sequence does not depend on the operations. */
function flakyFailure(random: number, percent: number, isWrite: boolean): Failure | undefined {
  const place = random / (percent / 100);
  if (place >= 1) return undefined;
  if (place < 1 / 2) return { kind: 'service_unavailable' };
  return { kind: isWrite && place < 3 / 4 ? 'drop-after-commit' : 'drop' };
}
