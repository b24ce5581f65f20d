import { type Account, accountSubject } from '#domain/account.ts';
import { stateForRequests } from '#domain/api-key.ts';
import { endOfBan } from '#domain/ban.ts';
import { type Brownout, brownoutState } from '#domain/brownout.ts';
import type { CountsReader } from '#domain/counts-journal.ts';
import { countsAt } from '#domain/rate-limit.ts';
import { formatTime, formatTimeOrNull } from '#domain/time-text.ts';
import type { ListedKey } from './account-store.ts';
import {
  type HistoryReader,
  type OperationCaller,
  requestsOf,
  startOfRecentDays,
} from './history.ts';
import type { ListedPet } from './operator-pets.ts';

// The JSON that operators get from commands with --json and in the console, and the counts that are part of it.

export function accountJson({ id, name, plan, limits, createdAtMs, ...account }: Account) {
  const { suspendedAtMs, suspensionReason } = account;
  return {
    id,
    name,
    plan,
    ...limits,
    state: suspendedAtMs === null ? ('active' as const) : ('suspended' as const),
    createdAt: formatTime(createdAtMs),
    suspendedAt: formatTimeOrNull(suspendedAtMs),
    suspensionReason: suspensionReason || null,
  };
}

/** Reads how many requests an account has used in each of its two windows. */
export async function readWindows(reader: CountsReader, account: Account, nowMs: number) {
  const { limits, clockOffsetMs } = account;
  const subject = accountSubject(account);
  const counts = await reader.getCounts(subject);
  const { minuteUsed, dayUsed } = countsAt(counts, subject, nowMs + clockOffsetMs);
  return {
    minute: { used: minuteUsed, limit: limits.perMinute },
    day: { used: dayUsed, limit: limits.perDay },
  };
}

/** Null if the state depends on a ban, and it is not known whether there is one. */
function stateOf(key: ListedKey, bannedUntilMs: number | null | undefined, nowMs: number) {
  const state = stateForRequests(key, nowMs + key.clockOffsetMs);
  if (state !== 'active') return state;
  if (bannedUntilMs === undefined) return null;
  return bannedUntilMs === null ? 'active' : 'banned';
}

/** `bannedUntilMs` is null for a key that is not banned, and undefined if bans are not known. */
export function keyJson(key: ListedKey, bannedUntilMs: number | null | undefined, nowMs: number) {
  return {
    id: key.id,
    account: key.accountName,
    lastFour: key.lastFour,
    label: key.label,
    scope: key.scope,
    state: stateOf(key, bannedUntilMs, nowMs),
    createdAt: formatTime(key.createdAtMs),
    expiresAt: formatTimeOrNull(key.expiresAtMs),
    revokedAt: formatTimeOrNull(key.revokedAtMs),
    bannedUntil: formatTimeOrNull(bannedUntilMs ?? null),
    /** The last accepted request. */
    lastUsedAt: formatTimeOrNull(key.acceptedAtMs),
    lastRefusedAt: formatTimeOrNull(key.refusedAtMs),
    lastRefusal: key.refusal,
  };
}

/** The number of requests of each key in the last 30 days, by the id of the key. */
export async function recentRequests(
  history: HistoryReader,
  keys: readonly ListedKey[],
  nowMs: number,
) {
  const accountIds = new Set(keys.map(({ accountId }) => accountId));
  const sums = history.sum('key', startOfRecentDays(nowMs), [...accountIds]);
  return new Map(await Array.fromAsync(sums, (sum) => [sum.group, requestsOf(sum)] as const));
}

/** Reads when the ban of a key ends. Returns null if the key is not banned. */
export async function readBan(
  reader: CountsReader,
  { id, accountId, unbannedAtMs, clockOffsetMs, resets }: ListedKey,
  nowMs: number,
): Promise<number | null> {
  const penalty = await reader.getPenalty(accountSubject({ id: accountId, resets }), id);
  const bannedUntil = endOfBan(penalty, unbannedAtMs, nowMs + clockOffsetMs);
  return bannedUntil === undefined ? null : bannedUntil * 1000;
}

/** Counts the banned keys. Looks only at keys that are not refused for another reason. */
export async function countBans(
  reader: CountsReader,
  keys: readonly ListedKey[],
  nowMs: number,
): Promise<number> {
  const active = keys.filter(
    (key) => stateForRequests(key, nowMs + key.clockOffsetMs) === 'active',
  );
  const bans = await Promise.all(active.map((key) => readBan(reader, key, nowMs)));
  return bans.filter((untilMs) => untilMs !== null).length;
}

export function listedPetJson({ addedAtMs, keyId, accountName, ...pet }: ListedPet) {
  return {
    ...pet,
    addedAt: formatTimeOrNull(addedAtMs ?? null),
    key: keyId ?? null,
    account: accountName ?? null,
  };
}

export function brownoutJson(brownout: Brownout, nowMs: number) {
  return {
    startsAt: formatTime(brownout.startsAtMs),
    endsAt: formatTime(brownout.endsAtMs),
    state: brownoutState(brownout, nowMs),
  };
}

/** `key` is undefined if the key no longer exists, because the history survives a restore that removes keys. */
export function callerJson(caller: OperationCaller, key: ListedKey | undefined) {
  const { keyId, lastDay, lastWeek, lastMonth, firstAtMs, lastAtMs } = caller;
  return {
    account: key?.accountName ?? null,
    key: keyId,
    label: key?.label ?? '',
    lastDay,
    lastWeek,
    lastMonth,
    // The period starts with an hour or a day, and the key may be younger than that.
    firstSeenAt: formatTime(Math.max(firstAtMs, key?.createdAtMs ?? 0)),
    lastSeenAt: formatTime(lastAtMs),
  };
}
