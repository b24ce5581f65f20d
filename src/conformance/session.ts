import type { Answer, Credential, Exchange, Request } from './exchange.ts';
import { retryAfterSeconds } from './headers.ts';
import { redactor } from './redactor.ts';
import { NoAnswer, sendHttp } from './transport.ts';
import { CannotRun, Failed, NotCheckable } from './verdict.ts';

/** A service may ask us to wait this long; beyond that, it is not the minute that is used up. */
export const MAX_WAIT_SECONDS = 120;
const MAX_WAITS_IN_A_ROW = 3;
const MAX_SILENCES_IN_A_ROW = 5;

export interface SessionOptions {
  /** As `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  readonly key: string;
  /** A key of the Free plan, of another account. */
  readonly freeKey: string | undefined;
  /** Whether to wait where a limit asks for it; otherwise what takes a wait is not checkable. */
  readonly mayWait: boolean;
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Told before each wait. */
  readonly onWait: (seconds: number) => void;
}

/** One run against one deployment: it sends what checks ask for, and remembers every answer. */
export class Session {
  readonly options: SessionOptions;
  readonly exchanges: Exchange[] = [];
  /** Takes the keys out of a text. */
  readonly redact: (text: string) => string;
  readonly #shared = new Map<string, Promise<unknown>>();
  #requestCount = 0;
  #silences = 0;
  #stopped: string | undefined;

  constructor(options: SessionOptions) {
    this.options = options;
    const { key, freeKey } = options;
    this.redact = redactor([key, wrongKey(key), ...(freeKey === undefined ? [] : [freeKey])]);
  }

  get requestCount(): number {
    return this.#requestCount;
  }

  get nowMs(): number {
    return this.options.now();
  }

  /** Why no more is sent, if something ended the run. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Sends nothing from now on; what has come so far can still be judged. */
  stop(reason: string): never {
    this.#stopped = this.redact(reason);
    throw new CannotRun(this.#stopped);
  }

  /** Does something once in a run, however many checks ask for it. */
  shared<T>(name: string, make: () => Promise<T>): Promise<T> {
    const shared = this.#shared.get(name) ?? make();
    this.#shared.set(name, shared);
    return shared as Promise<T>;
  }

  /** Asks once in a run: checks that ask for the same share the answer. */
  askOnce(request: Request): Promise<Exchange> {
    return this.shared(JSON.stringify(request), () => this.ask(request));
  }

  /** Asks for an answer other than 429, however often it takes, as late as the service wishes. */
  async ask(request: Request): Promise<Exchange> {
    for (let waits = 0; ; waits++) {
      const sent = await this.attempt(request);
      if (sent.answer.status !== 429) return sent;
      if (waits === MAX_WAITS_IN_A_ROW) {
        this.stop(`The service still answers 429 after ${waits} waits. Try again later.`);
      }
      await this.wait(retryAfterSeconds(sent.answer, sent.atMs) ?? 2 ** waits);
    }
  }

  /** Sends a request a single time, and takes whatever answer comes. */
  async attempt(request: Request): Promise<Exchange> {
    if (this.#stopped !== undefined) throw new NotCheckable(this.#stopped);
    const { baseUrl, timeoutMs } = this.options;
    const { method, path, body, credential = 'key' } = request;
    const authorization = this.#authorization(credential);
    this.#requestCount++;
    const init = {
      method,
      headers: {
        Accept: 'application/json',
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    };
    const answer = await this.#heard(request, sendHttp(`${baseUrl}${path}`, init, timeoutMs));
    const sent = { request, answer, atMs: this.nowMs };
    this.exchanges.push(sent);
    return sent;
  }

  async wait(seconds: number): Promise<void> {
    const { mayWait } = this.options;
    if (seconds > MAX_WAIT_SECONDS || !mayWait) {
      this.stop(
        `The key has used up its requests: the service asks to wait ${seconds} seconds` +
          `${mayWait ? '' : ', and --no-wait was given'}. Try again then, or with another key.`,
      );
    }
    this.options.onWait(seconds);
    await this.options.sleep(seconds * 1000);
  }

  /** Counts silences, so that a service that went away does not take a time-out for each check. */
  async #heard(request: Request, answering: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await answering;
      this.#silences = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (++this.#silences === MAX_SILENCES_IN_A_ROW) {
        this.stop(
          `The service has stopped answering: ${error.message}, ${this.#silences} times in a row.`,
        );
      }
      throw new Failed('an answer', error.message, { request });
    }
  }

  #authorization(credential: Credential): string | undefined {
    const { key, freeKey } = this.options;
    switch (credential) {
      case 'none':
        return undefined;
      case 'bare':
        return key;
      case 'wrong':
        return `Bearer ${wrongKey(key)}`;
      case 'free':
        return `Bearer ${freeKey}`;
      case 'key':
        return `Bearer ${key}`;
    }
  }
}

/** As near to a good key as a wrong one can be. */
function wrongKey(key: string): string {
  return key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
}
