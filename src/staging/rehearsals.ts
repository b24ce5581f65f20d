import { setTimeout } from 'node:timers/promises';
import type { Call, Rehearsal, ResponseParts, Serve } from '../contract/call.ts';
import { REHEARSALS, type RehearsalName } from '../contract/environment.ts';
import { OPERATIONS, REMOVALS } from '../contract/operations.ts';
import { BAN_RULES, refusalByBan } from '../domain/ban.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import { countsAt, quotaOf, takeRequest } from '../domain/rate-limit.ts';

const MAX_SLOW_SECONDS = 10;

const NAMES = Object.keys(REHEARSALS) as RehearsalName[];
const RANGES: Partial<Record<RehearsalName, string>> = {
  'slow-2s': ` (up to ${MAX_SLOW_SECONDS}s)`,
  'flaky-30': ' (1 to 100 percent)',
};
const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** All names, in words. */
export const NAMES_IN_WORDS = `one of ${OR.format(NAMES.map((name) => name + (RANGES[name] ?? '')))}`;

/** Undefined for an unknown name. `random` says where the requests of a flaky key fail. */
export function parseRehearsal(text: string, random: () => number): Rehearsal | undefined {
  const [number = ''] = /\d{1,3}(\.\d{1,3})?/.exec(text) ?? [];
  const name = NAMES.find((each) => each.replace(/\d+/, number) === text);
  return name && EFFECTS[name](Number(number), random);
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
    serve: (call, serve) =>
      serve({ ...call, timeMs: REMOVALS.get(call.route.operation ?? '') ?? call.timeMs }),
  }),
  'slow-2s': (seconds) =>
    seconds > 0 && seconds <= MAX_SLOW_SECONDS
      ? {
          async serve(call, serve) {
            const { signal } = call.request;
            // Shorter if the client leaves.
            await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
            return serve(call);
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
            if (place >= 1) return serve(call);
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
  const parts = await serve(call);
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
