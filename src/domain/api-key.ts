import { accountSubject } from './account.ts';
import { OperatorError } from './error.ts';
import { type Limits, limitsFromStore, type StoredLimits } from './plan.ts';
import type { Caller } from './rate-limit.ts';

/** A key may either read and write, or only read. A key that can only read may be published in a web page. */
export const KEY_SCOPES = ['all', 'read'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key as a store keeps it. The store also has the hash of its secret, but never the secret itself. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  /** The end of the secret, by which people can recognize it. */
  readonly lastFour: string;
  readonly label: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** The time at which an operator last lifted a ban, or 0. */
  readonly unbannedAtMs: number;
  /** The key that replaces this one after a rotation. */
  readonly successorId: number | null;
  readonly scope: KeyScope;
}

/**
 * A key that was found by its secret, with everything that a request needs to know about its account. It is
 * one flat object because a service caches very many of them (decision 012).
 */
export interface KnownKey extends Required<Caller> {
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly isReadOnly: boolean;
  readonly accountId: number;
  readonly accountName: string;
  readonly accountSuspendedAtMs: number | null;
  readonly clockSetToMs: number;
}

/** A key with its account, as one query returns them. */
export interface KnownKeyRow
  extends Omit<KnownKey, 'isReadOnly' | 'subject' | keyof Limits>,
    StoredLimits {
  readonly scope: KeyScope;
  readonly resets: number;
}

export function toKnownKey(row: KnownKeyRow): KnownKey {
  const { id, expiresAtMs, revokedAtMs, unbannedAtMs, scope } = row;
  const { accountId, accountName, accountSuspendedAtMs } = row;
  const { clockSetToMs, clockOffsetMs, resets } = row;
  const { perMinute, perDay } = limitsFromStore(row);
  return {
    id,
    expiresAtMs,
    revokedAtMs,
    unbannedAtMs,
    isReadOnly: scope !== 'all',
    accountId,
    accountName,
    accountSuspendedAtMs,
    clockSetToMs,
    clockOffsetMs,
    subject: accountSubject({ id: accountId, resets }),
    perMinute,
    perDay,
  };
}

/** `sqliteKeyFinder` or `postgresKeyFinder`. In production, `cachedKeyFinder` is in front of it. */
export interface KeyFinder {
  /** Returns undefined if no key has this well-formed secret. Throws `StoreUnavailableError`. */
  findKey(secret: string): KnownKey | undefined | Promise<KnownKey | undefined>;
  /**
   * Returns the key as it was cached within the last minute, which may be out of date. Never asks the store.
   * A finder without a cache does not have this method.
   */
  peekKey?(secret: string): KnownKey | undefined;
}

/** The changes to a key. Fields that are absent stay as they are. */
export interface KeyChanges {
  readonly label?: string | undefined;
  readonly expiresAtMs?: number | null | undefined;
}

/** A revoked key is invalid, whatever its expiry. */
export function keyState(
  { revokedAtMs, expiresAtMs }: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
) {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs === null || nowMs < expiresAtMs ? 'active' : 'expired';
}

/** The state that decides a request with this key. No key of a suspended account can be used. */
export function stateForRequests(
  key: Pick<KnownKey, 'revokedAtMs' | 'expiresAtMs' | 'accountSuspendedAtMs'>,
  nowMs: number,
) {
  const state = keyState(key, nowMs);
  return state === 'active' && key.accountSuspendedAtMs !== null ? 'suspended' : state;
}

/** Returns the expiry of a successor that is valid for as long as the key was when it was created. */
export function renewedExpiry({ createdAtMs, expiresAtMs }: ApiKey, nowMs: number): number | null {
  return expiresAtMs === null ? null : nowMs + (expiresAtMs - createdAtMs);
}

/** Returns the expiry of a rotated key: after the overlap, or sooner if the key would have expired sooner. */
export function rotatedExpiry(key: ApiKey, nowMs: number, overlapMs: number): number {
  const state = keyState(key, nowMs);
  if (state !== 'active') {
    throw new OperatorError(`Key ${key.id} is ${state}. Create a new key instead.`);
  }
  const { expiresAtMs, successorId } = key;
  if (successorId !== null) {
    throw new OperatorError(
      `Key ${key.id} was already rotated to key ${successorId}. Rotate that one.`,
    );
  }
  return Math.min(nowMs + overlapMs, expiresAtMs ?? Infinity);
}

/**
 * The label and the expiry of a key after a change. A later expiry makes an expired key valid again, but
 * never a revoked one: that throws `OperatorError`.
 */
export function changedKeyFields(key: ApiKey, changes: KeyChanges) {
  const { label = key.label, expiresAtMs = key.expiresAtMs } = changes;
  if (key.revokedAtMs !== null && changes.expiresAtMs !== undefined) {
    throw new OperatorError(`Key ${key.id} is revoked. Create a new key instead.`);
  }
  return { label, expiresAtMs };
}
