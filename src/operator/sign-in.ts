import { ConsoleError } from './console-error.ts';
import { hasFormOfSession, type OperatorToken, SESSION_SECONDS } from './operator-token.ts';
import { WrongTokens } from './wrong-tokens.ts';

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
  readonly #known = new Map<string, AbortController>();

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
    for (const session of this.#sessionsIn(request)) this.#forget(session);
    return this.#setCookie(request, '', 0);
  }

  /**
   * Throws `ConsoleError` unless the request has a session or the token. Returns a function that is
   * false once the session has ended, for responses that go on.
   */
  require(request: Request, address: string): () => boolean {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (token === undefined) return this.#requireSession(request, address);
    this.#requireToken(token, address);
    return () => true;
  }

  /** All ports of a host share their cookies, so the port is part of the name. */
  get #cookie(): string {
    return `animal-store-${this.#port()}`;
  }

  #requireToken(token: string, address: string): void {
    this.#requireFewAttempts(address);
    if (this.#token.matches(token)) return;
    this.#wrongTokens.record(address);
    throw new ConsoleError(401, 'The token is wrong.', CHALLENGE);
  }

  #requireSession(request: Request, address: string): () => boolean {
    const sessions = this.#sessionsIn(request);
    if (sessions.length === 0) {
      throw new ConsoleError(401, 'Sign in with the token of the operator.', CHALLENGE);
    }
    for (const session of sessions) {
      if (!this.#known.has(session)) this.#requireFewAttempts(address);
      if (this.#token.isSession(session, this.#now())) {
        const { signal } = this.#know(session);
        return () => !signal.aborted && this.#token.isSession(session, this.#now());
      }
      // A session is signed with the token, so a forged one is a guess of the token.
      if (hasFormOfSession(session)) this.#wrongTokens.record(address, session);
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
    const message = `Too many wrong tokens. Try again in ${seconds} seconds.`;
    throw new ConsoleError(429, message, { 'Retry-After': String(seconds) });
  }

  #know(session: string): AbortController {
    const known = this.#known.get(session) ?? new AbortController();
    this.#known.set(session, known);
    const [oldest = ''] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN_SESSIONS) this.#forget(oldest);
    return known;
  }

  #forget(session: string): void {
    this.#known.get(session)?.abort();
    this.#known.delete(session);
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
