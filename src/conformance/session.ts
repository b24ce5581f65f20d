import { CannotRun, CheckFailed, NotCheckable } from './check-error.ts';
import { retryAfterSeconds } from './headers.ts';
import { redactor } from './redactor.ts';
import { type ApiRequest, type ApiResponse, authorizations, type RoundTrip } from './round-trip.ts';
import { NoResponse, sendHttp } from './transport.ts';

/** If the service asks for a longer wait, more than the minute is used up. */
export const MAX_WAIT_SECONDS = 120;
const MAX_WAITS_IN_A_ROW = 3;
const MAX_TIMES_WITHOUT_RESPONSE = 5;

export interface SessionOptions {
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly key: string;
  /** A key on the Free plan, of another account. */
  readonly freeKey: string | undefined;
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
  readonly #authorizations: ReturnType<typeof authorizations>;
  readonly #cache = new Map<string, Promise<unknown>>();
  #requestCount = 0;
  #timesWithoutResponse = 0;
  #stopped: string | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    this.startedAtMs = options.now();
    // Without a Free plan key, no check sends one.
    const { key, freeKey = key } = options;
    this.redact = redactor([key, wrongKey(key), freeKey]);
    this.#authorizations = authorizations(key, freeKey, wrongKey(key));
  }

  get requestCount(): number {
    return this.#requestCount;
  }

  get nowMs(): number {
    return this.options.now();
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
      await this.wait(retryAfterSeconds(response, receivedAtMs) ?? 2 ** waits);
    }
  }

  /** Returns any response, a 429 too. */
  async sendWithoutRetry(request: ApiRequest): Promise<RoundTrip> {
    if (this.#stopped !== undefined) throw new NotCheckable(this.#stopped);
    const { baseUrl, timeoutMs } = this.options;
    const { method, path, body, credential = 'key' } = request;
    const authorization = this.#authorizations[credential];
    this.#requestCount++;
    const init = {
      method,
      headers: {
        Accept: 'application/json',
        ...(authorization !== '' && { Authorization: authorization }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    };
    const response = await this.#receive(request, sendHttp(`${baseUrl}${path}`, init, timeoutMs));
    const roundTrip = { request, response, receivedAtMs: this.nowMs };
    this.roundTrips.push(roundTrip);
    return roundTrip;
  }

  async wait(seconds: number): Promise<void> {
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
