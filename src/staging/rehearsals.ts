import { setTimeout } from 'node:timers/promises';
import { REHEARSALS, type RehearsalName } from '#contract/environment.ts';
import { problem } from '#contract/errors.ts';
import type { ResponseParts } from '#contract/exchange.ts';
import { OPERATIONS } from '#contract/operations.ts';
import type { KnownKey } from '#domain/api-key.ts';
import { BAN_RULES, refusalByBan } from '#domain/ban.ts';
import { StoreUnavailableError } from '#domain/error.ts';
import { type Counts, countsAt, type Decision, takeRequest } from '#domain/rate-limit.ts';
import type { Call } from '#http/authenticate.ts';
import { problemIfRemoved } from '#http/unserved.ts';

/** A failure that a request asks for. Every step that is missing here happens as usual. */
export interface Rehearsal {
  /** Returns the key in another state. */
  readonly find?: (known: KnownKey) => KnownKey;
  /** Decides in place of the limiter. */
  readonly count?: (call: Call) => Decision;
  /** Serves in place of the handler, which it can call. */
  readonly serve?: (call: Call, serve: Serve) => ReturnType<Serve>;
}

type Serve = () => ResponseParts | Promise<ResponseParts>;

/** Makes a rehearsal from the number in its name. Returns undefined if the number is out of range. */
type NumberedRehearsal = (number: number, random: () => number) => Rehearsal | undefined;

const MAX_SLOW_SECONDS = 10;

const NAMES = Object.keys(REHEARSALS) as RehearsalName[];
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const NAME_RULE =
  `must end after "~" with one of ${OR.format(NAMES)}, ` +
  `where 2s may be up to ${MAX_SLOW_SECONDS}s, and 30 from 1 to 100`;

/** Refuses a request because a header breaks a rule. The request still counts like any other. */
export function refuseHeader(name: string, rule: string): Rehearsal {
  return { serve: () => problem('invalid_parameter', `header ${name}`, rule) };
}

/** For an unknown name, returns a rehearsal that refuses the request. `random` decides which requests of a flaky key fail. */
export function parseRehearsal(text: string, random: () => number): Rehearsal {
  const [number = ''] = /\d{1,3}(\.\d{1,3})?/.exec(text) ?? [];
  const name = NAMES.find((each) => each.replace(/\d+/, number) === text);
  const effect = name && EFFECTS[name];
  const rehearsal = typeof effect === 'function' ? effect(Number(number), random) : effect;
  return rehearsal ?? refuseHeader('Authorization', NAME_RULE);
}

/** Each effect gives the same response as the real failure. */
const EFFECTS: Readonly<Record<RehearsalName, Rehearsal | NumberedRehearsal>> = {
  rate_limit_minute: { count: (call) => countAfter({ minuteUsed: call.caller.perMinute }, call) },
  rate_limit_day: { count: (call) => countAfter({ dayUsed: call.caller.perDay }, call) },
  api_key_banned: {
    count(call) {
      const bannedUntilSeconds = Math.floor(call.timeMs / 1000) + BAN_RULES.firstBanSeconds;
      return refusalByBan(bannedUntilSeconds, countAfter({}, call), call.timeMs);
    },
  },
  expired_api_key: { find: (known) => ({ ...known, expiresAtMs: 0 }) },
  revoked_api_key: { find: (known) => ({ ...known, revokedAtMs: 0 }) },
  read_only_key: { find: (known) => ({ ...known, isReadOnly: true }) },
  service_unavailable: { serve: failUnavailable },
  internal_error: {
    serve() {
      throw new Error('The key asks for an internal error');
    },
  },
  operation_removed: {
    // At the end of time, every deprecated operation has been removed.
    serve: ({ route: { operation } }, serve) =>
      (operation && problemIfRemoved(operation, Infinity, [])) ?? serve(),
  },
  'slow-2s'(seconds) {
    if (seconds <= 0 || seconds > MAX_SLOW_SECONDS) return undefined;
    return {
      async serve({ request: { signal } }, serve) {
        // The wait ends early if the client disconnects.
        await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
        return serve();
      },
    };
  },
  drop: { serve: () => lost(503) },
  'drop-after-commit': { serve: dropAfterCommit },
  'flaky-30'(percent, random) {
    if (!Number.isInteger(percent) || percent < 1 || percent > 100) return undefined;
    return {
      serve(call, serve) {
        // One random number decides everything, so the sequence does not depend on the operations.
        const place = random() / (percent / 100);
        if (place >= 1) return serve();
        if (place < 1 / 2) return failUnavailable();
        return isWrite(call) && place < 3 / 4 ? dropAfterCommit(call, serve) : lost(503);
      },
    };
  },
};

/** Decides as the limiter would if these requests had been made before. */
function countAfter(used: Partial<Counts>, { caller, timeMs }: Call) {
  const counts = countsAt(undefined, caller.subject, timeMs);
  return takeRequest({ ...counts, ...used }, caller, timeMs);
}

function failUnavailable(): never {
  throw new StoreUnavailableError(new Error('The key asks for this failure'));
}

async function dropAfterCommit(call: Call, serve: Serve): Promise<ResponseParts> {
  const parts = await serve();
  // A retry with the same Idempotency-Key commits nothing, so its response is sent.
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
