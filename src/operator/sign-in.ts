import { createHash, timingSafeEqual } from 'node:crypto';
import QuickLRU from 'quick-lru';
import { HOUR_SECONDS, MINUTE_MS } from '../domain/durations.ts';
import { addressSubject } from '../domain/rate-limit.ts';
import { ConsoleError } from './console-api/call.ts';

/** The token that signs an operator in. */
export class OperatorToken {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = sha256(token);
  }

  /** Names the token in the audit, without showing it. */
  get fingerprint(): string {
    return `token ${this.#digest.toString('hex').slice(0, 8)}`;
  }

  matches(text: string): boolean {
    return timingSafeEqual(sha256(text), this.#digest);
  }
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

/** Decides which requests come from an operator. */
export class SignIn {
  readonly #token: OperatorToken;
  readonly #newSession: () => string;
  readonly #port: () => number;
  readonly #now: () => number;
  /** When each session ends. Only this instance knows them, until it stops. */
  readonly #sessions = new QuickLRU<string, number>({ maxSize: MAX_SESSIONS });
  /** The number of wrong tokens in the current minute, by address. */
  readonly #wrongTokens = new QuickLRU<string, number>({ maxSize: MAX_ADDRESSES });
  #minute = 0;

  constructor(
    token: OperatorToken,
    newSession: () => string,
    port: () => number,
    now: () => number,
  ) {
    this.#token = token;
    this.#newSession = newSession;
    this.#port = port;
    this.#now = now;
  }

  /** Returns the cookie of a new session. Throws `ConsoleError` for a wrong token. */
  open(token: string, request: Request, address: string): string {
    this.#requireToken(token, address);
    const session = this.#newSession();
    this.#sessions.set(session, this.#now() + SESSION_SECONDS * 1000);
    return this.#setCookie(request, session, SESSION_SECONDS);
  }

  /** Ends the session of a browser. Returns a cookie that removes the one it has. */
  close(request: Request): string {
    for (const session of this.#sessionsIn(request)) this.#sessions.delete(session);
    return this.#setCookie(request, '', 0);
  }

  /** Throws `ConsoleError` unless the request has a session or the token. */
  require(request: Request, address: string): void {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    const isOpen = (session: string) => this.#now() < (this.#sessions.get(session) ?? 0);
    if (token !== undefined) this.#requireToken(token, address);
    else if (!this.#sessionsIn(request).some(isOpen)) {
      throw new ConsoleError(401, 'Sign in with the token of the operator.', CHALLENGE);
    }
  }

  /** All ports of a host share their cookies, so the port is part of the name. */
  get #cookie(): string {
    return `animal-store-${this.#port()}`;
  }

  #requireToken(token: string, address: string): void {
    const nowMs = this.#now();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#wrongTokens.clear();
    this.#minute = minute;
    const subject = subjectOf(address);
    const wrong = this.#wrongTokens.get(subject) ?? 0;
    if (wrong >= WRONG_PER_MINUTE) {
      const seconds = Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);
      const message = `Too many wrong tokens. Try again in ${seconds} s.`;
      throw new ConsoleError(429, message, { 'Retry-After': String(seconds) });
    }
    if (this.#token.matches(token)) return;
    this.#wrongTokens.set(subject, wrong + 1);
    throw new ConsoleError(401, 'The token is wrong. Check it and try again.', CHALLENGE);
  }

  /** A page on another port of this host can add cookies of the same name. */
  #sessionsIn({ headers }: Request): string[] {
    const start = `${this.#cookie}=`;
    return (headers.get('cookie') ?? '')
      .split(/; */)
      .filter((cookie) => cookie.startsWith(start))
      .map((cookie) => cookie.slice(start.length));
  }

  #setCookie(request: Request, value: string, seconds: number): string {
    // Several proxies make a list. The first entry is the one that the browser talks to.
    const isSecure = /^https\s*(,|$)/i.test(request.headers.get('x-forwarded-proto') ?? '');
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    return `${this.#cookie}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
  }
}

/** Everybody on this machine can use all 16 million addresses of 127.0.0.0/8. */
function subjectOf(address: string): string {
  const subject = addressSubject(address);
  return subject.startsWith('address:127.') ? 'address:127.0.0.1' : subject;
}
