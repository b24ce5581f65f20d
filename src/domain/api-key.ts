import { type Account, accountSubject } from './account.ts';
import type { Awaitable } from './awaitable.ts';
import { OperatorError } from './error.ts';
import type { Caller } from './rate-limit.ts';

/** A key as the store knows it: never its secret, only what the secret hashes to. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  readonly label: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** When an operator last lifted a ban; 0 when never. */
  readonly unbannedAtMs: number;
  /** The key that follows this one, once it was rotated. */
  readonly successorId: number | null;
}

/** A key found by its hash, with the account it speaks for. */
export interface KnownKey {
  readonly key: ApiKey;
  readonly hash: Uint8Array;
  readonly account: Account;
  /** How its requests are counted. */
  readonly caller: Caller;
}

export function toKnownKey(key: ApiKey, hash: Uint8Array, account: Account): KnownKey {
  const caller = { subject: accountSubject(account.id), limits: account.limits, key };
  return { key, hash, account, caller };
}

export interface KeyFinder {
  /** Undefined when no key has this hash. Throws `service_unavailable` when out of reach. */
  findKey(hash: Uint8Array): Awaitable<KnownKey | undefined>;
}

/** Finds keys, and has those at hand that were asked for lately. */
export interface KeyDirectory extends KeyFinder {
  /**
   * A key that is at hand and still what it was. It may be one whose hash only begins like this one:
   * whoever asks must compare them.
   */
  recallKey(hash: Uint8Array): KnownKey | undefined;
}

export interface Rotation {
  readonly oldExpiresAtMs: number;
  readonly newExpiresAtMs: number | null;
}

export type KeyState = 'active' | 'expired' | 'revoked';

const PREFIX = 'ask_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const SECRET_CHARACTERS = PREFIX.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
const WELL_FORMED = new RegExp(
  `^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`,
);
const SECRETS = new RegExp(`${PREFIX}[0-9A-Za-z]+`, 'g');
const MAX_LABEL_CHARACTERS = 100;

export const SECRET_FORMAT = `"${PREFIX}" and ${SECRET_CHARACTERS - PREFIX.length} letters and digits`;

/** A new secret from a source of random bytes: 190 bits, then a checksum against slips of the pen. */
export function mintSecret(randomBytes: (count: number) => Uint8Array): string {
  let random = '';
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(2 * RANDOM_CHARACTERS)) {
      // 248 is the last multiple of 62 in a byte: taking more would favour the first characters.
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += ALPHABET[byte % 62];
    }
  }
  return PREFIX + random + checksum(random);
}

export function isWellFormed(secret: string): boolean {
  return WELL_FORMED.test(secret);
}

/** Of a well-formed secret. False for what no service ever issued: slips of the pen. */
export function hasValidChecksum(secret: string): boolean {
  const end = PREFIX.length + RANDOM_CHARACTERS;
  // Read as a number, which is faster than to write the number and compare texts.
  let told = 0;
  for (let i = end; i < secret.length; i++) {
    told = told * 62 + (DIGIT_VALUES[secret.charCodeAt(i)] as number);
  }
  return crc32(secret.slice(PREFIX.length, end)) === told;
}

/** Takes secrets, and what looks like one, out of a text that is about to be logged. */
export function redactSecrets(text: string): string {
  return text.replace(SECRETS, `${PREFIX}[redacted]`);
}

export function keyState(key: ApiKey, nowMs: number): KeyState {
  if (key.revokedAtMs !== null) return 'revoked';
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active';
}

/**
 * How a key hands over to its successor: the old one lasts for the overlap, or less if it would
 * have ended sooner; the new one lives as long as the old one was meant to.
 */
export function rotation(key: ApiKey, nowMs: number, overlapMs: number): Rotation {
  const state = keyState(key, nowMs);
  if (state !== 'active') {
    throw new OperatorError(`Key ${key.id} is ${state}. Create a new key instead.`);
  }
  const { createdAtMs, expiresAtMs, successorId } = key;
  if (successorId !== null) {
    throw new OperatorError(
      `Key ${key.id} was rotated already, to key ${successorId}. Rotate that one.`,
    );
  }
  return {
    oldExpiresAtMs: Math.min(nowMs + overlapMs, expiresAtMs ?? Number.POSITIVE_INFINITY),
    newExpiresAtMs: expiresAtMs === null ? null : nowMs + (expiresAtMs - createdAtMs),
  };
}

export function parseLabel(text: string): string {
  if (text.length <= MAX_LABEL_CHARACTERS && !/\p{Cc}/u.test(text)) return text;
  throw new OperatorError(
    `A label must be at most ${MAX_LABEL_CHARACTERS} characters, without control characters.`,
  );
}

/** CRC-32 in base 62. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = ALPHABET[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc = (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] as number) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** What each character of the alphabet counts, by its code. */
const DIGIT_VALUES = new Uint8Array(128);
for (let value = 0; value < ALPHABET.length; value++) {
  DIGIT_VALUES[ALPHABET.charCodeAt(value)] = value;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});
