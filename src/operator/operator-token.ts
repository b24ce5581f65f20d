import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR_SECONDS } from '../domain/durations.ts';

export const SESSION_SECONDS = 12 * HOUR_SECONDS;

const SESSION = /^(\d{1,12})\.([\w-]{43})$/;

/** Text of any other form cannot be a guess of a session, and may be long. */
export function hasFormOfSession(text: string): boolean {
  return SESSION.test(text);
}

/**
 * The token that signs an operator in. A session is its expiry and a signature with the token, so
 * nothing is stored, and a session outlives a restart with the same token.
 */
export class OperatorToken {
  readonly #token: string;
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#token = token;
    this.#digest = sha256(token);
  }

  /** Names the token in the audit, without showing it. */
  get fingerprint(): string {
    return `token ${this.#digest.toString('hex').slice(0, 8)}`;
  }

  matches(text: string): boolean {
    return timingSafeEqual(sha256(text), this.#digest);
  }

  newSession(nowMs: number): string {
    return this.#session(Math.floor(nowMs / 1000) + SESSION_SECONDS);
  }

  /** Accepts a session only as it was made, not with a leading zero: a sign-out goes by its text. */
  isSession(text: string, nowMs: number): boolean {
    const endsAtSeconds = Number(SESSION.exec(text)?.[1]);
    const expected = this.#session(endsAtSeconds);
    return timingSafeEqual(sha256(text), sha256(expected)) && nowMs < endsAtSeconds * 1000;
  }

  #session(endsAtSeconds: number): string {
    const hmac = createHmac('sha256', this.#token).update(`console until ${endsAtSeconds}`);
    return `${endsAtSeconds}.${hmac.digest('base64url')}`;
  }
}

/** Hashes of texts are compared, which takes the same time for every text. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
