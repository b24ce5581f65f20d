import {
  type AnimalStoreError,
  ConnectionError,
  errorFromResponse,
  type OperationName,
  TimeoutError,
} from './errors.ts';
import { type Caller, Gate } from './gate.ts';
import { type CallOptions, notify, type RequestEvent, type Settings } from './options.ts';
import { type ReceivedResponse, readText } from './response.ts';
import { abortable, onAbort, platformHeaders, type Runtime } from './runtime.ts';

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** With this number of retries, the caller learns within 2 s that no server listens at the address. */
const MAX_RETRIES_WITHOUT_SERVER = 2;

/**
 * If a server that has responded before refuses connections, it may be restarting, so the client waits this long for it.
 */
const RESTART_MS = 30_000;
const MAX_RESTART_BACKOFF_MS = 2_000;

/** Matches the errors of all runtimes for a refused connection. The request was not sent then. */
const REFUSED = /connection ?refused|ECONNREFUSED|ENOTFOUND|bad port/i;

/** Matches the errors of Chromium, Firefox and Safari. They do not say if a connection was refused or broke later. */
const HIDDEN = /^(failed to fetch|networkerror|load failed)/i;

/** After a day, the service has forgotten the idempotency key, and a retry would add a second pet. */
const MAX_RETRY_AGE_MS = 86_400_000 - 60_000;

const RETRYABLE: readonly number[] = [408, 429, 502, 503, 504];

interface OperationFacts {
  readonly method: string;
  readonly successStatus: number;
  /**
   * Says if a request may be sent again when the first one may have reached the service: `safe` if a repetition
   * changes nothing, `with-idempotency-key` if it changes nothing as long as both requests have the same
   * `Idempotency-Key`, and `unsafe` if the service would do the same thing twice.
   */
  readonly repetition: 'safe' | 'with-idempotency-key' | 'unsafe';
}

/**
 * The facts that the sender needs about each operation. The contract of the service has the same facts. The
 * package must not import the service, so a test compares the two.
 */
export const OPERATIONS: Readonly<Record<OperationName, OperationFacts>> = {
  listPets: { method: 'GET', successStatus: 200, repetition: 'safe' },
  createPet: { method: 'POST', successStatus: 201, repetition: 'with-idempotency-key' },
  getPet: { method: 'GET', successStatus: 200, repetition: 'safe' },
};

/** A call of one operation, which may take several attempts. */
export interface ApiCall {
  readonly operation: OperationName;
  /** Relative to the base address, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly options: CallOptions;
}

/** Sends calls through the gate, and retries them if the operation allows it. */
export class Sender {
  readonly gate: Gate;
  #hasResponse = false;

  constructor(
    private readonly settings: Settings,
    private readonly runtime: Runtime,
  ) {
    this.gate = new Gate(settings, runtime);
  }

  /** Returns a response with the success status of the operation. Throws `AnimalStoreError` for any other result. */
  async send(call: ApiCall): Promise<ReceivedResponse> {
    const { operation } = call;
    const { successStatus, repetition } = OPERATIONS[operation];
    const {
      signal,
      maxRetries = this.settings.maxRetries,
      maxRetryWaitSeconds = this.settings.maxRetryWaitSeconds,
    } = call.options;
    const caller = { operation, signal, maxRetryWaitSeconds };
    const headers = this.#headersOf(call);
    /** The first failure after which the pet may have been added. */
    let unsure: { readonly error: AnimalStoreError; readonly sentAtMs: number } | undefined;
    /** The time at which a server that had responded before began to refuse connections. Undefined if it accepts them. */
    let refusedAtMs: number | undefined;
    let retries = 0;
    for (let attempt = 1; ; attempt++) {
      const leave = await this.gate.enter(caller, attempt > 1);
      const sentAtMs = this.runtime.now();
      const isTooLate = unsure !== undefined && sentAtMs - unsure.sentAtMs > MAX_RETRY_AGE_MS;
      if (signal?.aborted || isTooLate) {
        leave('unsent');
        throw signal?.aborted ? signal.reason : unsure?.error;
      }
      const startedMs = this.runtime.elapsed();
      const result = await this.#attempt(call, headers, attempt);
      const isLost = result instanceof ConnectionError;
      const reason = isLost ? reasonOf(result.cause) : '';
      const status = isLost ? 0 : result.response.status;
      const outcome = isLost
        ? `no response (${reason})`
        : `${status}, request ${result.response.requestId}`;
      this.#log(call, attempt, startedMs, outcome);
      const isRefused = REFUSED.test(reason);
      if (isRefused) leave('unsent');
      else leave(isLost ? 'lost' : result);
      this.#hasResponse ||= !isLost;
      if (!isLost && status === successStatus) return result;
      if (isLost && signal?.aborted) throw signal.reason;
      const error = isLost ? result : errorFromResponse(result, operation);
      notify(this.settings.hooks.onFailure, { operation, attempt, error });
      const isLimited = status === 429;
      if (!isLimited) unsure ??= { error, sentAtMs };
      // Only a 429 and a refused connection prove that the service did not act on the request.
      if (repetition === 'unsafe' && !isLimited && !isRefused) throw error;
      const isRestarting =
        this.#hasResponse && maxRetries > 0 && (isRefused || HIDDEN.test(reason));
      const nowMs = this.runtime.elapsed();
      refusedAtMs = isRestarting ? (refusedAtMs ?? nowMs) : undefined;
      const retryLimit = isRefused ? Math.min(maxRetries, MAX_RETRIES_WITHOUT_SERVER) : maxRetries;
      const mayHelp = isLost || RETRYABLE.includes(status);
      const isRetried =
        refusedAtMs === undefined
          ? mayHelp && retries < retryLimit
          : nowMs - refusedAtMs < RESTART_MS;
      if (!isRetried) throw error;
      const backoffMs = isRestarting ? MAX_RESTART_BACKOFF_MS : FIRST_BACKOFF_MS * 2 ** retries++;
      await this.#backOff(caller, Math.min(MAX_BACKOFF_MS, backoffMs), error);
    }
  }

  /** Waits until the client may send requests again, and then for a random time up to `maxBackoffMs`. */
  async #backOff(caller: Caller, maxBackoffMs: number, error: AnimalStoreError): Promise<void> {
    const waitMs = this.gate.pauseMs(caller) + this.runtime.random() * maxBackoffMs;
    const waitSeconds = waitMs / 1000;
    notify(this.settings.hooks.onWait, { reason: 'backoff', waitSeconds, error });
    await abortable<void>(caller.signal, (resolve) => this.runtime.after(waitMs, resolve));
  }

  /** Writes a line about an attempt. The API key is removed, because a custom `fetch` may put it into its errors. */
  #log({ operation, path }: ApiCall, attempt: number, startedMs: number, outcome: string): void {
    const { apiKey, logger } = this.settings;
    const durationMs = Math.round(this.runtime.elapsed() - startedMs);
    const request = `${OPERATIONS[operation].method} ${path}`;
    const line = `Animal Store: ${request}, ${outcome}, attempt ${attempt}, ${durationMs} ms`;
    notify((text: string) => logger.info(text), line.replaceAll(apiKey, '…').replace(/\s+/g, ' '));
  }

  /** Makes one attempt. Returns the response or, if no response arrived, the error. */
  async #attempt(
    call: ApiCall,
    headers: Headers,
    attempt: number,
  ): Promise<ReceivedResponse | ConnectionError> {
    const { operation } = call;
    const { signal, timeoutSeconds = this.settings.timeoutSeconds } = call.options;
    const controller = new AbortController();
    const unsubscribe = onAbort(signal, () => controller.abort(signal?.reason));
    const cancelTimer = this.runtime.after(timeoutSeconds * 1000, () =>
      controller.abort(new DOMException('timeoutSeconds elapsed', 'TimeoutError')),
    );
    try {
      // Do not rely on `fetch` to stop at the signal: a custom one may ignore it.
      return await abortable<ReceivedResponse>(
        controller.signal,
        (resolve, reject) =>
          void this.#fetch(call, headers, attempt, controller.signal).then(resolve, reject),
      );
    } catch (cause) {
      const { host } = new URL(this.settings.baseUrl);
      // If the caller aborted the call, `send` throws the caller's reason instead of this error.
      if (controller.signal.aborted) {
        const message = `${operation} timed out: no complete response from ${host} arrived within ${timeoutSeconds} s.`;
        return new TimeoutError(operation, message, { cause });
      }
      const message = `${operation} got no response from ${host}: ${reasonOf(cause)}.`;
      return new ConnectionError(operation, message, { cause });
    } finally {
      cancelTimer();
      unsubscribe();
    }
  }

  async #fetch(
    { operation, path, body }: ApiCall,
    headers: Headers,
    attempt: number,
    signal: AbortSignal,
  ): Promise<ReceivedResponse> {
    const { method } = OPERATIONS[operation];
    const { baseUrl, fetch, hooks } = this.settings;
    const url = baseUrl + path;
    const event: RequestEvent = { operation, method, url, attempt };
    notify(hooks.onRequest, event);
    const startedMs = this.runtime.elapsed();
    // This does not use `event.url`, because a hook could change it and redirect the API key.
    const fetched = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      // Following a redirect could turn a POST into a GET.
      redirect: 'manual',
      signal,
    });
    const { status, headers: responseHeaders } = fetched;
    const text = await readText(fetched);
    const requestId = responseHeaders.get('x-request-id') ?? undefined;
    const receivedAtMs = this.runtime.now();
    const durationSeconds = (this.runtime.elapsed() - startedMs) / 1000;
    notify(hooks.onResponse, { ...event, status, requestId, durationSeconds });
    const response = { url, status, headers: responseHeaders, requestId };
    return { response, text, receivedAtMs };
  }

  /** Merges the headers of a call from all sources. If two sources have the same header, the later source wins. */
  #headersOf({ headers, options }: ApiCall): Headers {
    const { apiKey, headers: clientHeaders } = this.settings;
    const own = { Accept: 'application/json', Authorization: `Bearer ${apiKey}` };
    const sources = [platformHeaders(), clientHeaders, options.headers, own, headers];
    const merged = new Headers();
    for (const source of sources) {
      for (const [name, value] of new Headers(source)) merged.set(name, value);
    }
    return merged;
  }
}

/** On Node.js, `fetch` hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause, code, message } = Object(error);
  if (cause !== undefined) return reasonOf(cause);
  return typeof code === 'string' ? code : (message ?? String(error));
}
