import { createHash, timingSafeEqual } from 'node:crypto';
import QuickLRU from 'quick-lru';
import { HOUR_SECONDS, MINUTE_MS } from '../domain/durations.ts';
import { addressSubject } from '../domain/rate-limit.ts';
import { ConsoleError } from './console-api/call.ts';

export type OperatorToken = ReturnType<typeof operatorToken>;

/** The token that signs an operator in. */
export function operatorToken(token: string) {
  const digest = sha256(token);
  return {
    /** Names the token in the audit, without showing it. */
    fingerprint: `token ${digest.toString('hex').slice(0, 8)}`,
    matches: (text: string) => timingSafeEqual(sha256(text), digest),
  };
}

/** Hashes of texts are compared, which takes the same time for every text. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const SESSION_SECONDS = 12 * HOUR_SECONDS;
/** The least used of more sessions end. */
const MAX_SESSIONS = 100;
const WRONG_PER_MINUTE = 10;
/** Many addresses must not fill the memory. */
const MAX_ADDRESSES = 10_000;
/** A browser asks for no password because of this scheme. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="animal-store operator"' };

/** Somebody sent a wrong token, now or too often in this minute. */
export class WrongTokenError extends ConsoleError {}

export type SignIn = ReturnType<typeof createSignIn>;

/** Decides which requests come from an operator. */
export function createSignIn(
  token: OperatorToken,
  newSession: () => string,
  port: () => number,
  now: () => number,
) {
  /** When each session ends. Only this instance knows them, until it stops. */
  const sessions = new QuickLRU<string, number>({ maxSize: MAX_SESSIONS });
  /** The number of wrong tokens, by minute and address. */
  const wrongTokens = new QuickLRU<string, number>({ maxSize: MAX_ADDRESSES });
  /** All ports of a host share their cookies, so the port is part of the name. */
  const cookie = () => `animal-store-${port()}`;

  function requireToken(given: string, address: string): void {
    const nowMs = now();
    const source = `${Math.floor(nowMs / MINUTE_MS)} ${sourceOf(address)}`;
    const wrong = wrongTokens.get(source) ?? 0;
    if (wrong >= WRONG_PER_MINUTE) {
      const seconds = Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);
      const message = `Too many wrong tokens. Try again in ${seconds} s.`;
      throw new WrongTokenError(429, message, { 'Retry-After': String(seconds) });
    }
    if (token.matches(given)) return;
    wrongTokens.set(source, wrong + 1);
    throw new WrongTokenError(401, 'The token is wrong. Check it and try again.', CHALLENGE);
  }

  /** A page on another port of this host can add cookies of the same name. */
  function sessionsIn({ headers }: Request): string[] {
    const start = `${cookie()}=`;
    return (headers.get('cookie') ?? '')
      .split(/; */)
      .filter((each) => each.startsWith(start))
      .map((each) => each.slice(start.length));
  }

  function setCookie(request: Request, value: string, seconds: number): string {
    // Several proxies make a list. The first entry is the one that the browser talks to.
    const isSecure = /^https\s*(,|$)/i.test(request.headers.get('x-forwarded-proto') ?? '');
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    return `${cookie()}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
  }

  return {
    /** Returns the cookie of a new session. Throws `ConsoleError` for a wrong token. */
    open(given: string, request: Request, address: string): string {
      requireToken(given, address);
      const session = newSession();
      sessions.set(session, now() + SESSION_SECONDS * 1000);
      return setCookie(request, session, SESSION_SECONDS);
    },

    /** Ends the session of a browser. Returns a cookie that removes the one it has. */
    close(request: Request): string {
      for (const session of sessionsIn(request)) sessions.delete(session);
      return setCookie(request, '', 0);
    },

    /** Throws `ConsoleError` unless the request has a session or the token. */
    require(request: Request, address: string): void {
      const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
      const isOpen = (session: string) => now() < (sessions.get(session) ?? 0);
      if (given !== undefined) requireToken(given, address);
      else if (!sessionsIn(request).some(isOpen)) {
        throw new ConsoleError(401, 'Sign in with the token of the operator.', CHALLENGE);
      }
    },
  };
}

/**
 * Wrong tokens are counted and logged by it. Everybody on this machine can use all 16 million addresses of
 * 127.0.0.0/8, and an IPv6 host those of a whole network.
 */
export function sourceOf(address: string): string {
  const source = addressSubject(address).replace('address:', '');
  return source.startsWith('127.') ? '127.0.0.1' : source;
}
