import { expect } from 'bun:test';
import type { Limits } from '#domain/plan.ts';
import {
  AnimalStore,
  type AnimalStoreOptions,
  type WaitEvent,
} from '../../packages/client/src/animal-store.ts';
import type { Runtime } from '../../packages/client/src/runtime.ts';
import type { TestService } from '../support/service.ts';
import { type Clock, rejection } from '../support/time.ts';

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** Timers that fire only when the test calls `step`. */
export class VirtualTime {
  readonly #timers = new Set<Timer>();

  constructor(readonly clock: Clock) {}

  readonly after = (milliseconds: number, callback: () => void): (() => void) => {
    const timer = { atMs: this.clock.nowMs + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  /** A runtime that uses this time. `skewSeconds` shifts its clock but not its durations. */
  runtime(random: () => number = () => 0.5, skewSeconds = 0): Runtime {
    let keys = 0;
    return {
      now: () => this.clock.nowMs + skewSeconds * 1000,
      elapsed: this.clock.now,
      after: this.after,
      random,
      newKey: () => `key-${++keys}`,
    };
  }

  /** Moves the clock to the next timer and fires it. Returns false if no timer is due before `endMs`. */
  async step(endMs = Infinity): Promise<boolean> {
    // Lets all work that the last timer started finish before the next one fires.
    await new Promise(setImmediate);
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (next === undefined || timer.atMs < next.atMs) next = timer;
    }
    if (next === undefined || next.atMs >= endMs) return false;
    this.#timers.delete(next);
    this.clock.nowMs = Math.max(this.clock.nowMs, next.atMs);
    next.callback();
    return true;
  }
}

/** How the network treats one request. `forward` sends it to the service. */
export type NetworkBehavior = (
  forward: () => Promise<Response>,
  signal: AbortSignal,
) => Promise<Response>;

export const passThrough: NetworkBehavior = (forward) => forward();

export const refuseConnection: NetworkBehavior = async () => {
  throw new TypeError('connection refused');
};

export const loseResponse: NetworkBehavior = async (forward) => {
  await forward();
  throw new TypeError('connection reset');
};

export function respond(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): NetworkBehavior {
  return async () => new Response(body, { status, headers });
}

/** Hangs until the request is aborted. */
export const neverRespond: NetworkBehavior = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/**
 * A client of the real service, on the service's clock, which advances while the client waits. The
 * nth behavior applies to the nth request; the rest pass through.
 */
export function virtualTimeStore(
  service: TestService,
  options: Partial<AnimalStoreOptions> = {},
  behaviors: NetworkBehavior[] = [],
) {
  const time = new VirtualTime(service.clock);
  const waits: WaitEvent[] = [];
  const sent: RequestInit[] = [];
  let inFlight = 0;

  async function forward(url: string, init: RequestInit): Promise<Response> {
    inFlight++;
    try {
      // An aborted request that was sent always arrives, so that tests do not depend on timing.
      const response = await fetch(url, { ...init, signal: null });
      const headers = new Headers(response.headers);
      // The listener sends the real date instead of the test's.
      headers.set('date', new Date(service.clock.nowMs).toUTCString());
      return new Response(await response.text(), { status: response.status, headers });
    } finally {
      inFlight--;
    }
  }

  const store = new AnimalStore(
    {
      baseUrl: service.url,
      apiKey: service.key.secret,
      hooks: { onWait: (event) => waits.push(event) },
      async fetch(url, init) {
        const behavior = behaviors[sent.push(init) - 1] ?? passThrough;
        return behavior(() => forward(url, init), init.signal as AbortSignal);
      },
      ...options,
    },
    time.runtime(),
  );

  return {
    store,
    /** Every wait, in order. */
    waits,
    /** Every request, in order. */
    sent,
    time,
    /** Advances time until the promise settles, but not while the service handles a request. */
    async settled<T>(promise: Promise<T>): Promise<T> {
      let isSettled = false;
      const noteSettled = () => {
        isSettled = true;
      };
      promise.then(noteSettled, noteSettled);
      while (!isSettled) {
        await new Promise(setImmediate);
        if (inFlight === 0 && !isSettled) await time.step();
      }
      return promise;
    },
  };
}

/** The same with a key of a new account that has these limits. */
export async function limitedStore(
  service: TestService,
  limits: Partial<Limits>,
  options: Partial<AnimalStoreOptions> = {},
  behaviors: NetworkBehavior[] = [],
) {
  const { secret } = await service.makeKey('enterprise', limits);
  return virtualTimeStore(service, { apiKey: secret, ...options }, behaviors);
}

/** Makes a call, and returns a function that aborts it. The call must then fail at once, with the reason. */
export function abortable(call: (signal: AbortSignal) => Promise<unknown>): () => Promise<void> {
  const controller = new AbortController();
  const failed = rejection(call(controller.signal));
  return async () => {
    const reason = new Error('the user left the page');
    controller.abort(reason);
    expect(await failed).toBe(reason);
  };
}
