import type { Environment } from './environment.ts';
import { OperatorError } from './error.ts';

const PREFIX = 'ask_';
/** The prefix of keys on staging. No production key begins with it, because their rest has no underscore. */
const TEST_PREFIX = `${PREFIX}test_`;
/** The prefix of the tokens of operators. */
const OPERATOR_PREFIX = 'aso_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const CHARACTERS = RANDOM_CHARACTERS + CHECKSUM_CHARACTERS;
const PRODUCTION_KEY = new RegExp(`^${PREFIX}[0-9A-Za-z]{${CHARACTERS}}$`);
/** A test key may end with the name of a rehearsal that its caller asks for. */
const TEST_KEY = new RegExp(`^(${TEST_PREFIX}[0-9A-Za-z]{${CHARACTERS}})(?:~([\\w.-]+))?$`);
/** A secret in any text. A shorter match would also find ordinary words, such as `flask_app`. */
const PREFIXED = new RegExp(`(${PREFIX}(?:test_)?|${OPERATOR_PREFIX})[0-9A-Za-z]{20,}`, 'gi');
const LONG_ENOUGH = new RegExp(`[0-9A-Za-z]{${CHARACTERS},}`, 'g');
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  return rest;
});

const SECRET_PREFIXES = {
  production: PREFIX,
  staging: TEST_PREFIX,
  operator: OPERATOR_PREFIX,
} as const satisfies Record<Environment | 'operator', string>;

/** Describes in words what a key looks like. */
export function secretFormat(environment: Environment): string {
  return `"${SECRET_PREFIXES[environment]}" and ${CHARACTERS} letters and digits`;
}

/** Makes a new secret of a key or of an operator, of 190 random bits and a checksum, which reveals typing errors. */
export function mintSecret(
  randomBytes: (count: number) => Uint8Array,
  kind: keyof typeof SECRET_PREFIXES = 'production',
): string {
  let random = '';
  while (random.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(2 * RANDOM_CHARACTERS)) {
      // 248 is the greatest multiple of 62 in a byte. Greater values would make the first characters of the
      // alphabet more frequent.
      if (byte < 248 && random.length < RANDOM_CHARACTERS) random += ALPHABET[byte % 62];
    }
  }
  return SECRET_PREFIXES[kind] + random + checksum(random);
}

/** The parts of a bearer token. */
export interface Token {
  readonly environment: Environment;
  readonly secret: string;
  /** The name of the rehearsal that a test key asks for. */
  readonly rehearsal?: string | undefined;
}

/** Returns undefined for a token that is not well-formed. */
export function splitToken(token: string): Token | undefined {
  if (PRODUCTION_KEY.test(token)) return { environment: 'production', secret: token };
  const [, secret, rehearsal] = TEST_KEY.exec(token) ?? [];
  return secret === undefined ? undefined : { environment: 'staging', secret, rehearsal };
}

/** False for a well-formed secret that no service has issued. A secret with a typing error needs no lookup. */
export function hasValidChecksum(secret: string): boolean {
  const random = secret.slice(-CHARACTERS, -CHECKSUM_CHARACTERS);
  return checksum(random) === secret.slice(-CHECKSUM_CHARACTERS);
}

/** True if the text could be the token of an operator, so that a look-up is worthwhile. */
export function isOperatorToken(text: string): boolean {
  return text.startsWith(OPERATOR_PREFIX) && hasValidChecksum(text);
}

/** Finds the secret in a text that a person pasted. The message of its error does not repeat the text. */
export function parseSecret(text: string): string {
  const secret = splitToken(text.trim())?.secret;
  if (secret !== undefined && hasValidChecksum(secret)) return secret;
  throw new OperatorError(
    `This is not a whole key. A key is ${secretFormat('production')}; on staging it begins with "${TEST_PREFIX}".`,
  );
}

/**
 * Removes secrets from a text: after a prefix even a part of a secret, and without one any 38 characters
 * that have a valid checksum.
 */
export function redactSecrets(text: string): string {
  return redactBare(text.replace(PREFIXED, '$1[redacted]'));
}

/** Removes secrets that stand without their prefix, also between other letters and digits. */
function redactBare(text: string): string {
  return text.replace(LONG_ENOUGH, (run) => {
    for (let start = 0; start + CHARACTERS <= run.length; start++) {
      const end = start + CHARACTERS;
      if (!hasValidChecksum(run.slice(start, end))) continue;
      return `${run.slice(0, start)}[redacted]${redactBare(run.slice(end))}`;
    }
    return run;
  });
}

/** CRC-32 in base 62. */
function checksum(text: string): string {
  let digits = '';
  for (let rest = crc32(text); digits.length < CHECKSUM_CHARACTERS; rest = Math.floor(rest / 62)) {
    digits = ALPHABET[rest % 62] + digits;
  }
  return digits;
}

/** The text must be ASCII. */
function crc32(text: string): number {
  let rest = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    rest = (rest >>> 8) ^ (CRC_TABLE[(rest ^ text.charCodeAt(i)) & 0xff] as number);
  }
  return ~rest >>> 0;
}
