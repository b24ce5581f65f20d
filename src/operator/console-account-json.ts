import type { Account } from '../domain/account.ts';
import { type ListedKey, listedState } from '../domain/account-store.ts';
import { formatTime } from '../domain/time-text.ts';

export function accountJson({ id, name, plan, limits, createdAtMs, ...account }: Account) {
  const { suspendedAtMs, suspensionReason } = account;
  return {
    ...{ id, name, plan, ...limits },
    state: suspendedAtMs === null ? 'active' : 'suspended',
    suspendedAt: timeOrNull(suspendedAtMs),
    suspensionReason: suspensionReason || null,
    createdAt: formatTime(createdAtMs),
  };
}

interface KeyFacts {
  /** Null if the key is not banned, undefined if that is not known. */
  readonly bannedUntilMs: number | null | undefined;
  readonly lastUsedAtMs: number | undefined;
  readonly nowMs: number;
}

export function keyJson(key: ListedKey, { bannedUntilMs, lastUsedAtMs, nowMs }: KeyFacts) {
  return {
    id: key.id,
    label: key.label,
    state: listedState(key, bannedUntilMs, nowMs),
    createdAt: formatTime(key.createdAtMs),
    expiresAt: timeOrNull(key.expiresAtMs),
    revokedAt: timeOrNull(key.revokedAtMs),
    bannedUntil: timeOrNull(bannedUntilMs ?? null),
    lastUsedAt: timeOrNull(lastUsedAtMs ?? null),
    successorId: key.successorId,
  };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : formatTime(ms);
}
