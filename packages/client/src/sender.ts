import { type AttemptResult, errorFromAttempt } from './attempt-result.ts';
import type { CallOptions, RequestHeaders } from './call-options.ts';
import type { AnimalStoreError, OperationName } from './errors.ts';
import { type Caller, Gate } from './gate.ts';
import { notify, type RequestEvent } from './hooks.ts';
import { onAbort } from './on-abort.ts';
import type { Settings } from './options.ts';
import { platformHeaders } from './platform.ts';
import type { Quota } from './quota.ts';
import { dateMs } from './rate-limit-headers.ts';
import { type ReceivedResponse, readText } from './response.ts';
import { type Runtime, sleep } from './runtime.ts';

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** The service forgets an idempotency key after a day, and a retry would add a second pet. */
const MAX_RETRY_AGE_MS = 86_400_000 - 60_000;

const RETRYABLE: readonly number[] = [408, 429, 502, 503, 504];

/** A call of one operation, which may take several attempts. */
interface ApiCall {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  /** Relative to the base address, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly successStatus: number;
  readonly options: CallOptions;
}

/** Sends calls through the gate, with retries. Every call is safe to send twice. */
export class Sender {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #gate: Gate;
  /** The newest `Date` that the service sent, or 0. */
  serviceTimeMs = 0;

  constructor(settings: Settings, runtime: Runtime) {
    this.#settings = settings;
    this.#runtime = runtime;
    this.#gate = new Gate(settings, runtime);
  }

  get quota(): Quota | undefined {
    return this.#gate.quota;
  }

  /** Returns a response with the success status. Throws `AnimalStoreError` otherwise. */
  async send(call: ApiCall): Promise<ReceivedResponse> {
    const { operation, successStatus } = call;
    const {
      signal,
      maxRetries = this.#settings.maxRetries,
      maxRetryWaitSeconds = this.#settings.maxRetryWaitSeconds,
    } = call.options;
    const caller = { operation, signal, maxRetryWaitSeconds };
    /** The first failure after which the pet may have been added. */
    let unsure: { readonly error: AnimalStoreError; readonly sentAtMs: number } | undefined;
    for (let retries = 0; ; retries++) {
      const leave = await this.#gate.enter(caller, retries > 0);
      const sentAtMs = this.#runtime.now();
      if (unsure !== undefined && sentAtMs - unsure.sentAtMs > MAX_RETRY_AGE_MS) {
        leave({ kind: 'unsent', cause: unsure.error });
        throw unsure.error;
      }
      const result = await this.#attempt(call, retries + 1);
      leave(result);
      if (result.kind === 'aborted' || result.kind === 'unsent') throw result.cause;
      const status = result.kind === 'responded' ? result.response.status : undefined;
      if (result.kind === 'responded' && status === successStatus) return result.response;
      const error = errorFromAttempt(result, operation);
      notify(this.#settings.hooks.onFailure, { operation, attempt: retries + 1, error });
      const mayRetry = status === undefined || RETRYABLE.includes(status);
      if (!mayRetry || retries >= maxRetries) throw error;
      if (status !== 429) unsure ??= { error, sentAtMs };
      await this.#backOff(caller, retries, error);
    }
  }

  /** Waits for the pause of the whole client, plus an exponential backoff with full jitter. */
  async #backOff(caller: Caller, retries: number, error: AnimalStoreError): Promise<void> {
    const pauseMs = this.#gate.pauseMs(caller);
    const maxBackoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries);
    const waitMs = pauseMs + this.#runtime.random() * maxBackoffMs;
    const { onWait } = this.#settings.hooks;
    notify(onWait, { reason: 'backoff', waitSeconds: waitMs / 1000, error });
    await sleep(this.#runtime, waitMs, caller.signal);
  }

  async #attempt(call: ApiCall, attempt: number): Promise<AttemptResult> {
    const { signal, timeoutSeconds = this.#settings.timeoutSeconds } = call.options;
    if (signal?.aborted) return { kind: 'unsent', cause: signal.reason };
    const controller = new AbortController();
    // A custom `fetch` may ignore the signal.
    const cancelled = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
    });
    const unsubscribe = onAbort(signal, () => controller.abort(signal?.reason));
    let isTimedOut = false;
    const cancelTimer = this.#runtime.after(timeoutSeconds * 1000, () => {
      isTimedOut = true;
      controller.abort(new DOMException('timeoutSeconds elapsed', 'TimeoutError'));
    });
    try {
      const response = this.#fetch(call, attempt, controller.signal);
      return { kind: 'responded', response: await Promise.race([response, cancelled]) };
    } catch (cause) {
      if (signal?.aborted) return { kind: 'aborted', cause: signal.reason };
      return { kind: isTimedOut ? 'timed-out' : 'failed', cause };
    } finally {
      cancelTimer();
      unsubscribe();
    }
  }

  async #fetch(call: ApiCall, attempt: number, signal: AbortSignal): Promise<ReceivedResponse> {
    const { baseUrl, apiKey, fetch, hooks } = this.#settings;
    const { operation, method, path, headers, body, options } = call;
    const url = `${baseUrl}${path}`;
    const event: RequestEvent = { operation, method, url, attempt };
    notify(hooks.onRequest, event);
    const startedMs = this.#runtime.elapsed();
    // Not `event.url`: a hook could change it and redirect the API key.
    const response = await fetch(url, {
      method,
      headers: mergedHeaders(
        platformHeaders(),
        this.#settings.headers,
        options.headers,
        { Accept: 'application/json', Authorization: `Bearer ${apiKey}` },
        headers,
      ),
      ...(body !== undefined && { body }),
      // Following a redirect could turn a POST into a GET.
      redirect: 'manual',
      signal,
    });
    const received: ReceivedResponse = {
      url,
      status: response.status,
      headers: response.headers,
      text: await readText(response),
      requestId: response.headers.get('x-request-id') ?? undefined,
      receivedAtMs: this.#runtime.now(),
    };
    this.serviceTimeMs = Math.max(this.serviceTimeMs, dateMs(received, 'date') ?? 0);
    notify(hooks.onResponse, {
      ...event,
      status: received.status,
      requestId: received.requestId,
      durationSeconds: (this.#runtime.elapsed() - startedMs) / 1000,
    });
    return received;
  }
}

/** The last header of a name wins. */
function mergedHeaders(...sources: (RequestHeaders | undefined)[]): Headers {
  const merged = new Headers();
  for (const source of sources) {
    new Headers(source).forEach((value, name) => {
      merged.set(name, value);
    });
  }
  return merged;
}
