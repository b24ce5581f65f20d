import { setTimeout } from 'node:timers/promises';
import { REHEARSALS, type RehearsalName } from '../contract/environment.ts';
import { problem } from '../contract/errors.ts';
import type { ResponseParts } from '../contract/exchange.ts';
import { OPERATIONS } from '../contract/operations.ts';
import type { KnownKey } from '../domain/api-key.ts';
import { BAN_RULES, refusalByBan } from '../domain/ban.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import {
  type Caller,
  countsAt,
  type Decision,
  quotaOf,
  takeRequest,
} from '../domain/rate-limit.ts';
import type { Call } from '../http/call.ts';
import { removalProblem } from '../http/problems.ts';

/** A failure that a request asks for. Everything that it leaves out happens as usual. */
export interface Rehearsal {
  /** Returns the key in another state. */
  readonly find?: (known: KnownKey) => KnownKey;
  /** Decides instead of the limiter. */
  readonly refuse?: (caller: Caller, timeMs: number) => Decision;
  readonly serve?: (call: Call, serve: Serve) => ResponseParts | Promise<ResponseParts>;
}

/** Serves the request as usual. */
type Serve = () => ResponseParts | Promise<ResponseParts>;

const MAX_SLOW_SECONDS = 10;

const NAMES = Object.keys(REHEARSALS) as RehearsalName[];
const RANGES: Partial<Record<RehearsalName, string>> = {
  'slow-2s': ` (up to ${MAX_SLOW_SECONDS}s)`,
  'flaky-30': ' (1 to 100 percent)',
};
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const NAME_RULE = `must end after "~" with one of ${OR.format(NAMES.map((name) => name + (RANGES[name] ?? '')))}`;

/** Refuses a request because a header breaks a rule, after the request was counted like any other. */
export function refuseHeader(name: string, rule: string): Rehearsal {
  return { serve: () => problem('invalid_parameter', `header ${name}`, rule) };
}

/** An unknown name refuses the request. `random` decides which requests of a flaky key fail. */
export function parseRehearsal(text: string, random: () => number): Rehearsal {
  const [number = ''] = /\d{1,3}(\.\d{1,3})?/.exec(text) ?? [];
  const name = NAMES.find((each) => each.replace(/\d+/, number) === text);
  return (
    (name && EFFECTS[name](Number(number), random)) ?? refuseHeader('Authorization', NAME_RULE)
  );
}

/** Each effect is the same as that of the real failure. Undefined for a number out of range. */
const EFFECTS: Readonly<
  Record<RehearsalName, (number: number, random: () => number) => Rehearsal | undefined>
> = {
  rate_limit_minute: () => ({
    refuse(caller, timeMs) {
      const counts = countsAt(undefined, caller.subject, timeMs);
      return takeRequest({ ...counts, minuteUsed: caller.perMinute }, caller, timeMs);
    },
  }),
  rate_limit_day: () => ({
    refuse(caller, timeMs) {
      const counts = countsAt(undefined, caller.subject, timeMs);
      return takeRequest({ ...counts, dayUsed: caller.perDay }, caller, timeMs);
    },
  }),
  api_key_banned: () => ({
    refuse(caller, timeMs) {
      const quota = quotaOf(countsAt(undefined, caller.subject, timeMs), caller);
      const bannedUntilSeconds = Math.floor(timeMs / 1000) + BAN_RULES.firstBanSeconds;
      return refusalByBan({ bannedUntilSeconds }, quota, timeMs);
    },
  }),
  expired_api_key: () => ({ find: (known) => ({ ...known, expiresAtMs: 0 }) }),
  revoked_api_key: () => ({ find: (known) => ({ ...known, revokedAtMs: 0 }) }),
  read_only_key: () => ({ find: (known) => ({ ...known, isReadOnly: true }) }),
  service_unavailable: () => ({ serve: failUnavailable }),
  internal_error: () => ({
    serve() {
      throw new Error('The key asks for an internal error');
    },
  }),
  operation_removed: () => ({
    // At the end of time, every deprecated operation is removed.
    serve: ({ route: { operation } }, serve) =>
      (operation && removalProblem(operation, Infinity, [])) ?? serve(),
  }),
  'slow-2s': (seconds) =>
    seconds > 0 && seconds <= MAX_SLOW_SECONDS
      ? {
          async serve(call, serve) {
            const { signal } = call.request;
            // Shorter if the client leaves.
            await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
            return serve();
          },
        }
      : undefined,
  drop: () => ({ serve: drop }),
  'drop-after-commit': () => ({ serve: dropAfterCommit }),
  'flaky-30': (percent, random) =>
    Number.isInteger(percent) && percent >= 1 && percent <= 100
      ? {
          serve(call, serve) {
            // One random number decides all, so the sequence does not depend on the operations.
            const place = random() / (percent / 100);
            if (place >= 1) return serve();
            if (place < 1 / 2) return failUnavailable();
            return isWrite(call) && place < 3 / 4 ? dropAfterCommit(call, serve) : drop();
          },
        }
      : undefined,
};

function failUnavailable(): never {
  throw new StoreUnavailableError(new Error('The key asks for this failure'));
}

function drop(): ResponseParts {
  return lost(503);
}

async function dropAfterCommit(call: Call, serve: Serve): Promise<ResponseParts> {
  const parts = await serve();
  // A retry with the same Idempotency-Key commits nothing, and gets its response.
  const isReplayed = parts.headers?.['Idempotent-Replayed'] !== undefined;
  return isWrite(call) && parts.status < 300 && !isReplayed ? lost(parts.status) : parts;
}

/** The runtime closes the connection of a response whose body fails at once, before it sends anything. */
function lost(status: number): ResponseParts {
  const body = new ReadableStream({ start: (controller) => controller.error() });
  return { status, body };
}

function isWrite({ route: { operation } }: Call): boolean {
  return operation !== undefined && OPERATIONS[operation].method !== 'GET';
}
