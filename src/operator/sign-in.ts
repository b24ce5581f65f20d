import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { HOUR_SECONDS, MINUTE_MS } from '../domain/durations.ts';
import { addressSubject } from '../domain/rate-limit.ts';
import { ConsoleError } from './console-api/call.ts';

const SESSION_SECONDS = 12 * HOUR_SECONDS;

const SESSION = /^(\d{1,12})\.([\w-]{43})$/;

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

const MAX_KNOWN_SESSIONS = 100;
/** A browser asks for no password because of this scheme. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="animal-store operator"' };

/** Decides which requests come from an operator. */
export class SignIn {
  readonly #token: OperatorToken;
  readonly #port: () => number;
  readonly #now: () => number;
  readonly #wrongTokens: WrongTokens;
  /** Sessions that were valid before. They stay usable while wrong tokens come from their address. */
  readonly #known = new Set<string>();

  constructor(token: OperatorToken, port: () => number, now: () => number) {
    this.#token = token;
    this.#port = port;
    this.#now = now;
    this.#wrongTokens = new WrongTokens(now);
  }

  /** Returns the cookie of a new session. Throws `ConsoleError` for a wrong token. */
  open(token: string, request: Request, address: string): string {
    this.#requireToken(token, address);
    const session = this.#token.newSession(this.#now());
    this.#know(session);
    return this.#setCookie(request, session, SESSION_SECONDS);
  }

  /** Returns a cookie that ends the session of a browser. */
  close(request: Request): string {
    for (const session of this.#sessionsIn(request)) this.#known.delete(session);
    return this.#setCookie(request, '', 0);
  }

  /** Throws `ConsoleError` unless the request has a session or the token. */
  require(request: Request, address: string): void {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (token === undefined) this.#requireSession(request, address);
    else this.#requireToken(token, address);
  }

  /** All ports of a host share their cookies, so the port is part of the name. */
  get #cookie(): string {
    return `animal-store-${this.#port()}`;
  }

  #requireToken(token: string, address: string): void {
    this.#requireFewAttempts(address);
    if (this.#token.matches(token)) return;
    this.#wrongTokens.record(address);
    throw new ConsoleError(401, 'The token is wrong. Check it and try again.', CHALLENGE);
  }

  #requireSession(request: Request, address: string): void {
    const sessions = this.#sessionsIn(request);
    if (sessions.length === 0) {
      throw new ConsoleError(401, 'Sign in with the token of the operator.', CHALLENGE);
    }
    for (const session of sessions) {
      if (!this.#known.has(session)) this.#requireFewAttempts(address);
      if (this.#token.isSession(session, this.#now())) {
        this.#know(session);
        return;
      }
      // A session is signed with the token, so a forged one is a guess of the token. Any other text
      // cannot be a guess, and may be long.
      if (SESSION.test(session)) this.#wrongTokens.record(address, session);
    }
    const headers = { ...CHALLENGE, 'Set-Cookie': this.close(request) };
    throw new ConsoleError(401, 'The session has ended. Sign in again.', headers);
  }

  /** Known sessions first. A page on another port of this host can add cookies of the same name. */
  #sessionsIn({ headers }: Request): string[] {
    const start = `${this.#cookie}=`;
    return (headers.get('cookie') ?? '')
      .split(/; */)
      .filter((cookie) => cookie.startsWith(start))
      .map((cookie) => cookie.slice(start.length))
      .sort((a, b) => Number(this.#known.has(b)) - Number(this.#known.has(a)));
  }

  #requireFewAttempts(address: string): void {
    const seconds = this.#wrongTokens.retryAfterSeconds(address);
    if (seconds === undefined) return;
    const message = `Too many wrong tokens. Try again in ${seconds} s.`;
    throw new ConsoleError(429, message, { 'Retry-After': String(seconds) });
  }

  #know(session: string): void {
    this.#known.add(session);
    const [oldest = ''] = this.#known;
    if (this.#known.size > MAX_KNOWN_SESSIONS) this.#known.delete(oldest);
  }

  #setCookie(request: Request, value: string, seconds: number): string {
    // Several proxies make a list. The first entry is the one that the browser talks to.
    const isSecure = /^https\s*(,|$)/i.test(request.headers.get('x-forwarded-proto') ?? '');
    const parts = [
      `${this.#cookie}=${value}`,
      'Path=/',
      `Max-Age=${seconds}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(isSecure ? ['Secure'] : []),
    ];
    return parts.join('; ');
  }
}

const WRONG_PER_MINUTE = 10;
/** The oldest is dropped above this, so that many addresses cannot fill the memory. */
const MAX_ADDRESSES = 10_000;

/** Limits wrong tokens by address. */
class WrongTokens {
  readonly #now: () => number;
  /** Those of the current minute. */
  readonly #byAddress = new Map<string, Set<string>>();
  #minute = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Seconds until this address may try again. Undefined if it may try now. */
  retryAfterSeconds(address: string): number | undefined {
    if (this.#of(address).size < WRONG_PER_MINUTE) return undefined;
    return Math.ceil((MINUTE_MS - (this.#now() % MINUTE_MS)) / 1000);
  }

  /**
   * Counts a wrong attempt, unless the same address made an attempt with the same name before: a page
   * that repeats a cookie from before a restart does not guess.
   */
  record(address: string, name?: string): void {
    const wrong = this.#of(address);
    wrong.add(name ?? `attempt ${wrong.size}`);
    this.#byAddress.set(subjectOf(address), wrong);
    const [oldest = ''] = this.#byAddress.keys();
    if (this.#byAddress.size > MAX_ADDRESSES) this.#byAddress.delete(oldest);
  }

  #of(address: string): Set<string> {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    if (minute !== this.#minute) this.#byAddress.clear();
    this.#minute = minute;
    return this.#byAddress.get(subjectOf(address)) ?? new Set();
  }
}

/** Everybody on this machine can use all 16 million addresses of 127.0.0.0/8. */
function subjectOf(address: string): string {
  const subject = addressSubject(address);
  return subject.startsWith('address:127.') ? 'address:127.0.0.1' : subject;
}
