import type { Answer } from './answer.ts';
import type { OperationName } from './error-code.ts';
import type { AnimalStoreError } from './errors.ts';
import { Gate } from './gate.ts';
import { notify, type RequestEvent } from './hooks.ts';
import { onAbort } from './on-abort.ts';
import type { Settings } from './options.ts';
import { failureOf, type Outcome } from './outcome.ts';
import { backoffMs, isPassing } from './retry.ts';
import { type Runtime, sleep } from './runtime.ts';

/** A call of one operation, which may take several attempts. */
export interface Call {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST';
  /** Below the base address, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The status of success. */
  readonly success: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends calls through the gate, and again when that may help. Every call may be sent twice. */
export class Sender {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #gate: Gate;

  constructor(settings: Settings, runtime: Runtime) {
    this.#settings = settings;
    this.#runtime = runtime;
    this.#gate = new Gate(settings, runtime);
  }

  /** Resolves to an answer with the status of success; throws `AnimalStoreError` for any other. */
  async send(call: Call): Promise<Answer> {
    const { operation, signal, success } = call;
    for (let retries = 0; ; retries++) {
      const leave = await this.#gate.enter({ operation, signal, isRetry: retries > 0 });
      const outcome = await this.#attempt(call, retries + 1);
      leave(outcome);
      if (outcome.kind === 'aborted' || outcome.kind === 'unsent') throw outcome.cause;
      if (outcome.kind === 'answered' && outcome.answer.status === success) return outcome.answer;
      const error = failureOf(outcome, operation);
      notify(this.#settings.hooks.onFailure, { operation, attempt: retries + 1, error });
      const isWorthAnother = outcome.kind !== 'answered' || isPassing(outcome.answer.status);
      if (!isWorthAnother || retries >= this.#settings.maxRetries) throw error;
      await this.#backOff(call, retries, error);
    }
  }

  /** First as long as everyone is held back, then a while of its own. */
  async #backOff(call: Call, retries: number, error: AnimalStoreError): Promise<void> {
    const holdMs = this.#gate.holdMs(call.operation);
    const waitMs = holdMs + backoffMs(retries, this.#runtime.random());
    const { onWait } = this.#settings.hooks;
    notify(onWait, { reason: 'backoff', waitSeconds: waitMs / 1000, error });
    await sleep(this.#runtime, waitMs, call.signal);
  }

  async #attempt(call: Call, attempt: number): Promise<Outcome> {
    const { signal } = call;
    if (signal?.aborted) return { kind: 'unsent', cause: signal.reason };
    const controller = new AbortController();
    // Not every `fetch` that is handed in heeds a signal.
    const cancelled = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
    });
    const stopWatching = onAbort(signal, () => controller.abort(signal?.reason));
    let isLate = false;
    const cancelTimer = this.#runtime.after(this.#settings.timeoutSeconds * 1000, () => {
      isLate = true;
      controller.abort(new DOMException('timeoutSeconds are over', 'TimeoutError'));
    });
    try {
      const exchange = this.#exchange(call, attempt, controller.signal);
      return { kind: 'answered', answer: await Promise.race([exchange, cancelled]) };
    } catch (cause) {
      if (signal?.aborted) return { kind: 'aborted', cause: signal.reason };
      return { kind: isLate ? 'late' : 'failed', cause };
    } finally {
      cancelTimer();
      stopWatching();
    }
  }

  async #exchange(call: Call, attempt: number, signal: AbortSignal): Promise<Answer> {
    const { baseUrl, apiKey, fetch, hooks } = this.#settings;
    const { operation, method, path, headers, body } = call;
    const url = `${baseUrl}${path}`;
    const event: RequestEvent = { operation, method, url, attempt };
    notify(hooks.onRequest, event);
    const startedMs = this.#runtime.elapsed();
    // Not `event.url`: a hook could have changed it, and the API key would go elsewhere.
    const response = await fetch(url, {
      method,
      headers: { Accept: 'application/json', Authorization: `Bearer ${apiKey}`, ...headers },
      ...(body !== undefined && { body }),
      // Followed, a POST could turn into a GET on the way.
      redirect: 'manual',
      signal,
    });
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      requestId: response.headers.get('x-request-id') ?? undefined,
      receivedAtMs: this.#runtime.now(),
    };
    notify(hooks.onResponse, {
      ...event,
      status: answer.status,
      requestId: answer.requestId,
      durationSeconds: (this.#runtime.elapsed() - startedMs) / 1000,
    });
    return answer;
  }
}
