import { CannotRun, CheckFailed, NotCheckable } from './check-error.ts';
import { retryAfterSeconds, wholeNumber } from './headers.ts';
import { redactor } from './redactor.ts';
import { listPetsRequest } from './requests.ts';
import {
  type ApiRequest,
  type ApiResponse,
  authorization,
  type Credential,
  type Keys,
  type PlanKeyName,
  type RoundTrip,
} from './round-trip.ts';
import { TestClocks } from './test-clocks.ts';
import { NoResponse, sendHttp } from './transport.ts';

/** If the service asks for a longer wait, more than the minute is used up. */
export const MAX_WAIT_SECONDS = 120;
const MAX_WAITS_IN_A_ROW = 3;
const MAX_TIMES_WITHOUT_RESPONSE = 5;

export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

export interface SessionOptions {
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly key: string;
  /** A key on the Free plan, of another account. */
  readonly freeKey: string | undefined;
  /** Keys of further accounts, for checks that only staging allows. */
  readonly planKeys?: Readonly<Partial<Record<PlanKeyName, string>>>;
  /** Of the Enterprise plan key. */
  readonly enterpriseLimits?: Limits | undefined;
  /** The base address of staging if this one is production, or the other way round. */
  readonly otherUrl?: string | undefined;
  /** If false, checks that have to wait for a limit are not checkable. */
  readonly mayWait: boolean;
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Called before each wait. */
  readonly onWait: (seconds: number) => void;
}

/** One run against one deployment. Sends the requests of the checks and records the responses. */
export class Session {
  readonly options: SessionOptions;
  readonly startedAtMs: number;
  readonly roundTrips: RoundTrip[] = [];
  /** Removes the keys from a text. */
  readonly redact: (text: string) => string;
  readonly #keys: Keys;
  readonly #clocks: TestClocks;
  readonly #cache = new Map<string, Promise<unknown>>();
  #hasClocks = false;
  #requestCount = 0;
  #timesWithoutResponse = 0;
  #stopped: string | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    this.startedAtMs = options.now();
    this.#clocks = new TestClocks(options.now);
    const { key, freeKey, planKeys } = options;
    const wrong = wrongKey(key);
    this.#keys = { ...planKeys, ...(freeKey !== undefined && { free: freeKey }), key, wrong };
    this.redact = redactor(Object.values(this.#keys));
  }

  get requestCount(): number {
    return this.#requestCount;
  }

  get nowMs(): number {
    return this.options.now();
  }

  /** True on staging, where requests can set the time of their account. */
  get hasClocks(): boolean {
    return this.#hasClocks;
  }

  /** The time of an account. Without a test clock, the real time. */
  timeMs(credential: Credential = 'key'): number {
    return this.#clocks.timeMs(credential);
  }

  /** From the next request with this key. */
  moveClock(credential: Credential, toMs: number): void {
    this.#clocks.moveTo(credential, toMs);
  }

  /** Uses the clocks of the deployment, if it has some. It says that it is staging. */
  async openClocks(): Promise<void> {
    await this.startClocks('key');
    const startMs = this.timeMs();
    const { response } = await this.sendUnrecorded(listPetsRequest('?limit=1'));
    // The real reset would be within a day, and the clock starts later than that.
    this.#hasClocks = (wholeNumber(response, 'x-ratelimit-reset') ?? 0) * 1000 > startMs;
    if (!this.#hasClocks) await this.closeClocks();
  }

  /** Puts clocks to the start of the same day, with nothing counted. */
  async startClocks(...credentials: readonly Credential[]): Promise<void> {
    for (const credential of credentials) await this.#leaveTestTime(credential);
    this.#clocks.start(credentials);
  }

  /** Leaves every account as at the present, so that others can use it. */
  async closeClocks(): Promise<void> {
    for (const credential of this.#clocks.moved) await this.#leaveTestTime(credential);
  }

  /** Why the run stopped early, if it did. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Sends nothing more. Checks that need no further request can still run. */
  stop(reason: string): never {
    this.#stopped = this.redact(reason);
    throw new CannotRun(this.#stopped);
  }

  /** Computes a value once per run, however many checks need it. */
  cached<T>(name: string, compute: () => Promise<T>): Promise<T> {
    const value = this.#cache.get(name) ?? compute();
    this.#cache.set(name, value);
    return value as Promise<T>;
  }

  /** Sends a request once per run. Checks that need the same request share its response. */
  sendCached(request: ApiRequest): Promise<RoundTrip> {
    return this.cached(JSON.stringify(request), () => this.send(request));
  }

  /** Sends a request, and again after each 429, as late as the service asks. */
  async send(request: ApiRequest): Promise<RoundTrip> {
    for (let waits = 0; ; waits++) {
      const roundTrip = await this.sendWithoutRetry(request);
      const { response, receivedAtMs } = roundTrip;
      if (response.status !== 429) return roundTrip;
      if (waits === MAX_WAITS_IN_A_ROW) {
        this.stop(`The service still returns 429 after ${waits} waits. Try again later.`);
      }
      const seconds = retryAfterSeconds(response, receivedAtMs) ?? 2 ** waits;
      await this.wait(seconds, request.credential);
    }
  }

  /** Returns any response, a 429 too. */
  async sendWithoutRetry(request: ApiRequest): Promise<RoundTrip> {
    const roundTrip = await this.sendUnrecorded(request);
    this.roundTrips.push(roundTrip);
    return roundTrip;
  }

  /** For responses that checks of every response must not see. */
  async sendUnrecorded({ credential = 'key', ...rest }: ApiRequest): Promise<RoundTrip> {
    if (this.#stopped !== undefined) throw new NotCheckable(this.#stopped);
    const testTime = this.#clocks.testTime(credential) ?? rest.testTime;
    const request = { ...rest, credential, ...(testTime !== undefined && { testTime }) };
    const response = await this.#receive(request, this.#send(request));
    return { request, response, receivedAtMs: this.timeMs(credential) };
  }

  /** Gets another address of the deployment, or of another one, without a key. */
  async getWithoutKey(url: string): Promise<ApiResponse> {
    if (this.#stopped !== undefined) throw new NotCheckable(this.#stopped);
    this.#requestCount++;
    const init = { method: 'GET', headers: { Accept: 'application/json' } };
    try {
      return await sendHttp(url, init, this.options.timeoutMs);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      throw new CheckFailed(`a response from ${url}`, error.message);
    }
  }

  #send(request: ApiRequest): Promise<ApiResponse> {
    const { baseUrl, timeoutMs } = this.options;
    const { method, path, body, credential = 'key', testTime } = request;
    const key = authorization(this.#keys, credential);
    this.#requestCount++;
    const headers = {
      Accept: 'application/json',
      ...(key !== undefined && { Authorization: key }),
      ...(testTime !== undefined && { 'X-Test-Time': testTime }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    };
    const init = { method, headers, ...(body !== undefined && { body }) };
    return sendHttp(`${baseUrl}${path}`, init, timeoutMs);
  }

  /** Also clears what the account has used, and its bans. A run that has stopped does it too. */
  async #leaveTestTime(credential: Credential): Promise<void> {
    this.#clocks.forget(credential);
    const request = { ...listPetsRequest('?limit=1'), credential, testTime: 'now' };
    try {
      await this.#send(request);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
    }
  }

  /** Moves the clock of the account if it has one. Otherwise, time passes. */
  async wait(seconds: number, credential: Credential = 'key'): Promise<void> {
    if (this.#clocks.testTime(credential) !== undefined) {
      this.moveClock(credential, this.timeMs(credential) + seconds * 1000);
      return;
    }
    const { mayWait } = this.options;
    if (seconds > MAX_WAIT_SECONDS || !mayWait) {
      this.stop(
        `The limit of the key is used up: the service asks to wait ${seconds} seconds` +
          `${mayWait ? '' : ', and --no-wait was given'}. Try again then, or use another key.`,
      );
    }
    this.options.onWait(seconds);
    await this.options.sleep(seconds * 1000);
  }

  /** Stops the run if the service is gone, instead of waiting for a timeout in every check. */
  async #receive(request: ApiRequest, sending: Promise<ApiResponse>): Promise<ApiResponse> {
    try {
      const response = await sending;
      this.#timesWithoutResponse = 0;
      return response;
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      if (++this.#timesWithoutResponse === MAX_TIMES_WITHOUT_RESPONSE) {
        this.stop(
          `The service stopped responding: ${error.message}, ${MAX_TIMES_WITHOUT_RESPONSE} times in a row.`,
        );
      }
      throw new CheckFailed('a response', error.message, { request });
    }
  }
}

/** Differs from the key in one character. */
function wrongKey(key: string): string {
  return key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
}
