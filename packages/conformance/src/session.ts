import {
  type ApiRequest,
  type ApiResponse,
  type Credential,
  isSuccess,
  type KeyName,
  parseJson,
  redactor,
  retryAfter,
  variableOf,
} from './http.ts';

/** The deployment violates a statement. */
export class CheckFailed extends Error {
  constructor(
    readonly expected: string,
    readonly got: string,
    /** The request that shows the violation, and its response if one arrived. */
    readonly evidence: Partial<ApiResponse> = {},
  ) {
    super(expected);
  }
}

/** A statement cannot be checked in this run. The message says why. */
export class NotCheckable extends Error {}

/** The run cannot start or continue. The message is one line for the user. */
export class CannotRun extends NotCheckable {}

/** Throws `CheckFailed` unless a condition is met. */
export function expect(
  isMet: boolean,
  expected: string,
  got: string,
  evidence?: Partial<ApiResponse>,
): asserts isMet {
  if (!isMet) throw new CheckFailed(expected, got, evidence);
}

/** Throws `NotCheckable` unless a condition is met. */
export function need(isMet: boolean, reason: string): asserts isMet {
  if (!isMet) throw new NotCheckable(reason);
}

/**
 * Marks the statement as not checkable unless a condition is met. Use this function if the check depends on something
 * that another statement, with the given id, checks.
 */
export function needStatement(isMet: boolean, id: string): asserts isMet {
  need(isMet, `This check depends on what ${id} checks.`);
}

/**
 * The longest wait for the limit of a minute. If the service asks for a longer wait, it refused the request for another
 * reason.
 */
export const MAX_WAIT_SECONDS = 120;
const MAX_WAITS_IN_A_ROW = 3;
const MAX_TIMES_WITHOUT_RESPONSE = 5;
export const DAY_MS = 86_400_000;

/** A request that needs little work from the service. */
export const CHEAP: ApiRequest = { path: '/pets?limit=1' };

export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

export interface SessionOptions {
  /** The base address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** The base address of staging if `baseUrl` is production, or vice versa. */
  readonly otherUrl?: string | undefined;
  /** If true, the base address need not end in /v1. */
  readonly mayLackPrefix?: boolean;
  /** No two keys may belong to the same account. The keys of paid plans are used only on staging. */
  readonly keys: Readonly<Partial<Record<KeyName, string>>> & { readonly key: string };
  /** The limits of the account that the Enterprise key belongs to. */
  readonly enterpriseLimits: Limits;
  /** Waits until a limit resets. If this function is missing, checks that have to wait are not checkable. */
  readonly wait?: ((seconds: number) => Promise<unknown>) | undefined;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** One run against one deployment. It sends requests, stays within the limits, and records the responses. */
export class Session {
  /** Shortens text that came from the service for the report, and removes keys from it. */
  readonly show: (text: string) => string;
  /** Every response so far. */
  readonly responses: ApiResponse[] = [];
  requestCount = 0;
  /** The reason why the run stopped early. Undefined if it did not. */
  stopped: string | undefined;
  /** True on staging, where requests can set the test clock of their account. */
  hasClocks = false;
  readonly #keys: Readonly<Partial<Record<Credential, string>>>;
  readonly #cache = new Map<unknown, Promise<unknown>>();
  readonly #clocks = new Map<Credential, { readonly testTime: string; readonly aheadMs: number }>();
  #clockStarts = 0;
  /** The number of writes that succeeded. */
  #writes = 0;
  #timesWithoutResponse = 0;

  constructor(readonly options: SessionOptions) {
    const { key } = options.keys;
    // The wrong key differs from the key only in the last character.
    const wrong = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
    this.#keys = { ...options.keys, bare: key, wrong };
    this.show = redactor(Object.values(this.#keys));
  }

  /** Computes a value once per run. Later calls with the same name return the same value. */
  computeOnce<T>(name: unknown, compute: () => Promise<T>): Promise<T> {
    return this.#cache.getOrInsertComputed(name, compute) as Promise<T>;
  }

  /**
   * Sends a request. After a 429, waits as long as the service asks, and then sends the request again. Statements
   * that send the same request share one response. After a write, the responses to earlier reads are not reused.
   */
  send(request: ApiRequest): Promise<ApiResponse> {
    const isRead = request.method === undefined;
    const name = `${isRead && this.#writes} ${JSON.stringify({ credential: 'key', ...request })}`;
    return this.computeOnce(name, () => this.#sendPatiently(request));
  }

  /** Sends requests one after the other. */
  sendAll(requests: readonly ApiRequest[]) {
    return Array.fromAsync(requests, (request) => this.send(request));
  }

  async #sendPatiently(request: ApiRequest): Promise<ApiResponse> {
    for (let waits = 0; ; waits++) {
      const response = await this.sendNow(request);
      if (response.status !== 429) return response;
      if (waits === MAX_WAITS_IN_A_ROW) {
        this.stop(`The service still returns 429 after ${waits} waits. Try again later.`);
      }
      await this.wait(retryAfter(response) ?? 2 ** waits, request.credential);
    }
  }

  /** Sends a request once and returns its response, even a 429. Responses from other addresses are not recorded. */
  async sendNow(request: ApiRequest): Promise<ApiResponse> {
    if (this.stopped !== undefined) throw new NotCheckable(this.stopped);
    const response = await this.#exchange(request);
    if (request.path.startsWith('/')) this.responses.push(response);
    if (request.method !== undefined && isSuccess(response)) this.#writes++;
    return response;
  }

  async #exchange({ credential = 'key', ...rest }: ApiRequest): Promise<ApiResponse> {
    const testTime = this.#clocks.get(credential)?.testTime ?? rest.testTime;
    const request = { ...rest, credential, testTime };
    const { method = 'GET', path, body = null, failure = '' } = request;
    const key = this.#keys[credential];
    const scheme = credential === 'bare' ? '' : 'Bearer ';
    const sent = {
      Accept: 'application/json',
      ...(key !== undefined && { Authorization: scheme + key + failure }),
      ...(testTime !== undefined && { 'X-Test-Time': testTime }),
      ...(body !== null && { 'Content-Type': 'application/json' }),
    };
    this.requestCount++;
    try {
      const signal = AbortSignal.timeout(this.options.timeoutMs);
      const init: RequestInit = { method, headers: sent, body, redirect: 'manual', signal };
      const response = await fetch(this.urlOf(path), init);
      const text = await response.text();
      this.#timesWithoutResponse = 0;
      const { status, headers } = response;
      const receivedAtMs = this.timeMs(credential);
      return { request, status, headers, text, json: parseJson(text), receivedAtMs };
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: unknown };
      const detail = this.show(typeof code === 'string' ? code : message);
      const reason = `no complete response (${detail})`;
      // The service may have stopped. The run ends early, so that not every check waits for a timeout.
      const times = ++this.#timesWithoutResponse;
      if (times === MAX_TIMES_WITHOUT_RESPONSE) {
        this.stop(`The service stopped responding: ${reason}, ${times} times in a row.`);
      }
      throw new CheckFailed('a response', reason, { request });
    }
  }

  urlOf(path: string): string {
    return path.startsWith('/') ? `${this.options.baseUrl}${path}` : path;
  }

  /** Stops the run: no more requests are sent. Statements that need no further request can still be checked. */
  stop(reason: string): never {
    this.stopped = reason;
    throw new CannotRun(reason);
  }

  /** Moves the test clock of the account if the account has one. Otherwise, waits in real time. */
  async wait(seconds: number, credential: Credential = 'key'): Promise<void> {
    if (this.#clocks.has(credential)) {
      this.moveClock(credential, this.timeMs(credential) + seconds * 1000);
      return;
    }
    const { wait } = this.options;
    if (seconds > MAX_WAIT_SECONDS || wait === undefined) {
      const reason =
        `The limit of the key is used up. The service asks clients to wait ${seconds} s` +
        `${wait ? '' : ', and --no-wait was given'}.`;
      if (credential === 'key') this.stop(reason);
      throw new NotCheckable(reason);
    }
    await wait(seconds);
  }

  /** Returns the time on the test clock of an account, or the real time if the account has no test clock. */
  timeMs(credential: Credential = 'key'): number {
    return this.options.now() + (this.#clocks.get(credential)?.aheadMs ?? 0);
  }

  /**
   * Sets the test clock that starts with the next request with this key. Later requests send the same test time
   * again. The service ignores the repetition, so the clock keeps running.
   */
  moveClock(credential: Credential, ms: number): void {
    const testTime = new Date(ms).toISOString();
    this.#clocks.set(credential, { testTime, aheadMs: ms - this.options.now() });
  }

  /** Moves a test clock to the start of a UTC day that this run has not used, so that no requests are counted yet. */
  async startClock(credential: Credential): Promise<void> {
    await this.#leaveTestTime(credential);
    const today = Math.ceil(this.options.now() / DAY_MS);
    this.moveClock(credential, (today + ++this.#clockStarts) * DAY_MS);
  }

  /** If the run has no such key, marks the current statement as not checkable. */
  requireKey(name: KeyName): void {
    const isGiven = this.options.keys[name] !== undefined;
    need(isGiven, `This check needs ${variableOf(name)}: see --help.`);
  }

  /** If requests cannot set test clocks, marks the current statement as not checkable. */
  requireClocks(): void {
    need(this.hasClocks, 'Only on staging: this check moves a test clock.');
  }

  /** Returns every account to real time, so that other clients can use it. */
  async closeClocks(): Promise<void> {
    for (const credential of this.#clocks.keys()) await this.#leaveTestTime(credential);
  }

  /**
   * Returns an account to real time, which also clears its counts and bans. This works even after the run has stopped.
   */
  async #leaveTestTime(credential: Credential): Promise<void> {
    this.#clocks.delete(credential);
    // If no response arrives, a later request fails for the same reason and reports it.
    await this.#exchange({ ...CHEAP, credential, testTime: 'now' }).catch(() => {});
  }

  /** Sends the first request. On staging, it first resets a test clock that another client may have moved. */
  async open(): Promise<ApiResponse> {
    let response = await this.#sendPatiently(CHEAP);
    if (isStaging(response)) {
      await this.startClock('key');
      response = await this.#sendPatiently(CHEAP);
      // In real time, the limit resets within a day. The test clock starts later than that, so a later reset shows
      // that the service uses the test clock.
      this.hasClocks = Number(response.headers.get('x-ratelimit-reset')) * 1000 > this.timeMs();
      if (!this.hasClocks) await this.closeClocks();
    }
    this.responses.length = 0;
    return response;
  }
}

/** Makes a function that computes a value once per run, however many statements call it. */
export function shared<T>(compute: (session: Session) => Promise<T>) {
  return (session: Session) => session.computeOnce(compute, () => compute(session));
}

/** True if the response comes from staging. Every response of a staging deployment has this header. */
export function isStaging({ headers }: ApiResponse): boolean {
  return headers.get('x-environment') === 'staging';
}
