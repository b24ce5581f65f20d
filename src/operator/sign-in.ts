import { createHash, timingSafeEqual } from 'node:crypto';
import QuickLRU from 'quick-lru';
import { HOUR_SECONDS, MINUTE_MS } from '#domain/durations.ts';
import { isOperatorToken } from '#domain/key-secret.ts';
import type { OperatorRegistry, SignedIn } from '#domain/operator/operators.ts';
import { addressSubject } from '#domain/rate-limit.ts';
import { ConsoleError } from './console-api/call.ts';

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const SESSION_SECONDS = 12 * HOUR_SECONDS;
/** When there are more, the session that was not used for the longest time ends. */
const MAX_SESSIONS = 100;
const WRONG_PER_MINUTE = 10;
/** An attacker with many addresses must not fill the memory. */
const MAX_ADDRESSES = 10_000;
/** A browser does not ask its user for a password when it sees this scheme. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="animal-store operator"' };

export interface SignInOptions extends Pick<OperatorRegistry, 'findOperator'> {
  /** The operator whose token is not in the store, and signs in while the store is away. */
  readonly builtIn: { readonly name: 'token' | 'start'; readonly token: string };
  /** Returns a new random id. */
  readonly newSession: () => string;
  /** The port of the listener, which is known only once it listens. */
  readonly port: () => number;
  readonly now: () => number;
  /** Called for each wrong token, and for each token after too many of them, with its source. */
  readonly onSignInFailed: (source: string) => void;
}

interface OpenSession {
  /** The hash of the token that opened the session. */
  readonly hash: Buffer;
  readonly endsAtMs: number;
}

/** Decides which requests come from an operator. */
export class SignIn {
  /** Sessions are known only to this instance and end when it stops. */
  readonly #sessions = new QuickLRU<string, OpenSession>({ maxSize: MAX_SESSIONS });
  /** The number of wrong tokens, by minute and address. */
  readonly #wrongTokens = new QuickLRU<string, number>({ maxSize: MAX_ADDRESSES });

  readonly #builtInHash: Buffer;

  constructor(private readonly options: SignInOptions) {
    this.#builtInHash = sha256(options.builtIn.token);
  }

  /** Returns the operator, and the cookie of a new session. Throws `ConsoleError` for a wrong token. */
  async open(given: string, request: Request, address: string) {
    const operator = await this.#requireToken(given, address);
    const { newSession, now } = this.options;
    const session = newSession();
    const endsAtMs = now() + SESSION_SECONDS * 1000;
    this.#sessions.set(session, { hash: sha256(given), endsAtMs });
    return { operator, cookie: this.#cookie(request, session, SESSION_SECONDS) };
  }

  /** Ends the session of a browser, and returns a cookie that removes the browser's own. */
  close(request: Request): string {
    for (const session of this.#sessionsIn(request)) this.#sessions.delete(session);
    return this.#cookie(request, '', 0);
  }

  /**
   * Returns the operator who sent the request. Throws `ConsoleError` unless the request has a session or a token. Each
   * request asks the store, so that a revocation ends the sessions of all instances at once.
   */
  async require(request: Request, address: string): Promise<SignedIn> {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
    if (given !== undefined) return this.#requireToken(given, address);
    const nowMs = this.options.now();
    for (const id of this.#sessionsIn(request)) {
      const session = this.#sessions.get(id);
      if (session === undefined || nowMs >= session.endsAtMs) continue;
      const operator = await this.#find(session.hash);
      if (operator !== undefined) return operator;
    }
    throw new ConsoleError(401, 'Sign in with your operator token.', CHALLENGE);
  }

  /** Comparing hashes takes the same time for every text, so the time tells an attacker nothing. */
  #isBuiltIn(hash: Buffer): boolean {
    return timingSafeEqual(hash, this.#builtInHash);
  }

  async #find(hash: Buffer): Promise<SignedIn | undefined> {
    const { builtIn, findOperator } = this.options;
    return this.#isBuiltIn(hash) ? { name: builtIn.name, role: 'editor' } : findOperator(hash);
  }

  async #requireToken(given: string, address: string): Promise<SignedIn> {
    const { now, onSignInFailed } = this.options;
    const nowMs = now();
    const source = sourceOf(address);
    const counted = `${Math.floor(nowMs / MINUTE_MS)} ${source}`;
    const wrong = () => this.#wrongTokens.get(counted) ?? 0;
    if (wrong() >= WRONG_PER_MINUTE) {
      onSignInFailed(source);
      const seconds = Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1000);
      const message = `Too many wrong tokens. Try again in ${seconds} s.`;
      throw new ConsoleError(429, message, { 'Retry-After': String(seconds) });
    }
    const hash = sha256(given);
    // A text with another form is refused without waiting for the store.
    const mayBeKnown = this.#isBuiltIn(hash) || isOperatorToken(given);
    const operator = mayBeKnown ? await this.#find(hash) : undefined;
    if (operator !== undefined) return operator;
    onSignInFailed(source);
    // Others may have been counted while this one waited for the store.
    this.#wrongTokens.set(counted, wrong() + 1);
    throw new ConsoleError(
      401,
      'The token is wrong or revoked. Check it and try again.',
      CHALLENGE,
    );
  }

  /** All ports of a host share their cookies, so the name contains the port. */
  get #cookieStart(): string {
    return `animal-store-${this.options.port()}=`;
  }

  /** There may be several such cookies, because a page on another port of this host can add cookies of the same name. */
  #sessionsIn({ headers }: Request): string[] {
    const start = this.#cookieStart;
    return (headers.get('cookie') ?? '')
      .split(/; */)
      .filter((each) => each.startsWith(start))
      .map((each) => each.slice(start.length));
  }

  #cookie({ headers }: Request, value: string, seconds: number): string {
    // Several proxies write a list. Its first entry is the proxy that the browser talks to.
    const isSecure = /^https\s*(,|$)/i.test(headers.get('x-forwarded-proto') ?? '');
    const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
    return `${this.#cookieStart}${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
  }
}

/**
 * The source that wrong tokens are counted and logged by. It is not the address itself, because a user of this
 * machine can send from all 16 million addresses of 127.0.0.0/8, and an IPv6 host from a whole network.
 */
function sourceOf(address: string): string {
  const source = addressSubject(address).replace('address:', '');
  return source.startsWith('127.') ? '127.0.0.1' : source;
}
