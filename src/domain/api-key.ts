import { type Account, accountSubject } from './account.ts';
import { OperatorError } from './error.ts';
import type { Caller } from './rate-limit.ts';

/** A key as a store keeps it. The store also has the hash of its secret, never the secret. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  readonly label: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** When an operator last lifted a ban, or 0. */
  readonly unbannedAtMs: number;
  /** The key that replaces this one after a rotation. */
  readonly successorId: number | null;
}

/** A key found by its secret, with its account. */
export interface KnownKey {
  readonly key: ApiKey;
  readonly account: Account;
  /** How its requests are counted. */
  readonly caller: Caller;
  /** The key is accepted before this time. */
  readonly endsAtMs: number;
}

export function toKnownKey(key: ApiKey, account: Account): KnownKey {
  const { limits, clockOffsetMs } = account;
  const caller = { subject: accountSubject(account), limits, key, clockOffsetMs };
  return { key, account, caller, endsAtMs: account.suspendedAtMs === null ? endOf(key) : 0 };
}

export interface KeyFinder {
  /** Undefined when no key has this well-formed secret. Throws `StoreUnavailableError`. */
  findKey(secret: string): KnownKey | undefined | Promise<KnownKey | undefined>;
}

/** Absent fields stay as they are. */
export interface KeyChanges {
  readonly label?: string | undefined;
  readonly expiresAtMs?: number | null | undefined;
}

interface Rotation {
  readonly oldExpiresAtMs: number;
  readonly newExpiresAtMs: number | null;
}

type KeyState = 'active' | 'expired' | 'revoked';

export function keyState(key: ApiKey, nowMs: number): KeyState {
  if (nowMs < endOf(key)) return 'active';
  return key.revokedAtMs === null ? 'expired' : 'revoked';
}

/** A revoked key is invalid, whatever its expiry. */
function endOf({ revokedAtMs, expiresAtMs }: ApiKey): number {
  return revokedAtMs === null ? (expiresAtMs ?? Number.POSITIVE_INFINITY) : 0;
}

/**
 * The old key lasts for the overlap, or less if it would have expired sooner. The new key lives as
 * long as the old one was meant to.
 */
export function rotation(key: ApiKey, nowMs: number, overlapMs: number): Rotation {
  const state = keyState(key, nowMs);
  if (state !== 'active') {
    throw new OperatorError(`Key ${key.id} is ${state}. Create a new key instead.`);
  }
  const { createdAtMs, expiresAtMs, successorId } = key;
  if (successorId !== null) {
    throw new OperatorError(
      `Key ${key.id} was already rotated to key ${successorId}. Rotate that one.`,
    );
  }
  return {
    oldExpiresAtMs: Math.min(nowMs + overlapMs, expiresAtMs ?? Number.POSITIVE_INFINITY),
    newExpiresAtMs: expiresAtMs === null ? null : nowMs + (expiresAtMs - createdAtMs),
  };
}

/** The label and expiry of a key after a change. An expired key may work again, a revoked one never. */
export function updated(key: ApiKey, changes: KeyChanges) {
  const { label = key.label, expiresAtMs = key.expiresAtMs } = changes;
  if (key.revokedAtMs !== null && changes.expiresAtMs !== undefined) {
    throw new OperatorError(`Key ${key.id} is revoked. Create a new key instead.`);
  }
  return { label, expiresAtMs };
}
