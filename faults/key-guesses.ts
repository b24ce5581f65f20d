import { mintSecret } from '../src/domain/key-secret.ts';
import { openStore } from '../test/support/open-store.ts';
import { below, pick, type Random } from './random.ts';

const DIGITS = 32;
const BASE = 62;
const PREFIX_LENGTH = 'ask_'.length;
const DAY_MS = 86_400_000;

/** The random part of a key, as the numbers of its characters. The checksum follows from it. */
export type KeyDigits = Uint8Array;

export function randomDigits(random: Random): KeyDigits {
  return Uint8Array.from({ length: DIGITS }, () => below(BASE, random));
}

export function toSecret(digits: KeyDigits): string {
  return mintSecret(() => digits);
}

/**
 * Changes one character, and keeps the checksum valid. A guess with a wrong checksum is refused
 * sooner, but the checksum is public, so this gives nothing away.
 */
export function changeOne(digits: KeyDigits, random: Random): KeyDigits {
  const changed = Uint8Array.from(digits);
  const place = below(DIGITS, random);
  changed[place] = ((changed[place] ?? 0) + 1 + below(BASE - 1, random)) % BASE;
  return changed;
}

/** Keys that exist. */
export interface StoredKeys {
  readonly active: readonly KeyDigits[];
  /** Revoked or expired. */
  readonly ended: readonly KeyDigits[];
}

/** Creates a store with random keys. */
export async function storeKeys(url: string, random: Random, count: number): Promise<StoredKeys> {
  await using store = await openStore(url);
  const { accounts } = store;
  const nowMs = Date.now();
  const limits = { perMinute: 100_000_000, perDay: 100_000_000 };
  await accounts.createAccount({ name: 'customer', plan: 'enterprise', limits, nowMs });
  const create = async (expiresAtMs: number | null) => {
    const digits = randomDigits(random);
    const secret = toSecret(digits);
    const key = { accountName: 'customer', label: '', secret, expiresAtMs, nowMs };
    return { digits, id: (await accounts.createKey(key)).id };
  };
  const active = await Promise.all(Array.from({ length: count }, () => create(null)));
  const expired = await create(nowMs - DAY_MS);
  const revoked = await create(null);
  await accounts.revokeKey(revoked.id, nowMs);
  return {
    active: active.map(({ digits }) => digits),
    ended: [expired.digits, revoked.digits],
  };
}

/** Every way to be wrong, from one character off to nothing like a key. */
const KINDS: readonly ((keys: StoredKeys, random: Random) => string)[] = [
  ({ active }, random) => toSecret(changeOne(pick(active, random), random)),
  ({ ended }, random) => toSecret(changeOne(pick(ended, random), random)),
  ({ ended }, random) => toSecret(pick(ended, random)),
  (_keys, random) => toSecret(randomDigits(random)),
  // The checksum of another key.
  ({ active }, random) =>
    toSecret(pick(active, random)).slice(0, -6) + toSecret(randomDigits(random)).slice(-6),
  ({ active }, random) => toSecret(pick(active, random)).slice(0, -1 - below(41, random)),
  ({ active }, random) =>
    toSecret(pick(active, random)) + toSecret(randomDigits(random)).slice(0, 1 + below(41, random)),
  ({ active }, random) => toSecret(pick(active, random)).slice(PREFIX_LENGTH),
  ({ active }, random) => toSecret(pick(active, random)).toUpperCase(),
];

export function wrongKey(keys: StoredKeys, random: Random): string {
  return pick(KINDS, random)(keys, random);
}

export function requestWith(secret: string, address: string): string {
  return (
    `GET /v1/pets HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n` +
    `Authorization: Bearer ${secret}\r\n\r\n`
  );
}

export function addressV4(random: Random): string {
  return `10.${below(256, random)}.${below(256, random)}.${below(256, random)}`;
}

/** Of another /64 each time. */
export function addressV6(random: Random): string {
  const group = () => below(65_536, random).toString(16);
  return `2001:db8:${group()}:${group()}::${group()}`;
}
