import {
  AnimalStore,
  type AnimalStoreOptions,
  type WaitEvent,
} from '../../src/client/animal-store.ts';
import type { TestService } from '../support/service.ts';
import { VirtualTime } from '../support/virtual-time.ts';

/** What becomes of one request; `pass` hands it on to the service. */
export type Fate = (pass: () => Promise<Response>, signal: AbortSignal) => Promise<Response>;

export const pass: Fate = (next) => next();

export const refuseConnection: Fate = async () => {
  throw new TypeError('connection refused');
};

export const loseAnswer: Fate = async (next) => {
  await next();
  throw new TypeError('connection reset');
};

export function answer(status: number, body: string, headers: Record<string, string> = {}): Fate {
  return async () => new Response(body, { status, headers });
}

/** Never answers, and goes away when it is told to. */
export const neverAnswer: Fate = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** A client before the real service, in the service's time, which passes while the client waits. */
export function patientStore(
  service: TestService,
  options: Partial<AnimalStoreOptions> = {},
  fates: Fate[] = [],
) {
  const time = new VirtualTime(service.clock);
  const waits: WaitEvent[] = [];
  const sent: RequestInit[] = [];
  let underway = 0;

  async function ask(url: string, init: RequestInit): Promise<Response> {
    underway++;
    try {
      const response = await fetch(url, init);
      const headers = new Headers(response.headers);
      // The listener writes the real date, and not the one that the test has set.
      headers.set('date', new Date(service.clock.nowMs).toUTCString());
      return new Response(await response.text(), { status: response.status, headers });
    } finally {
      underway--;
    }
  }

  const store = new AnimalStore(
    {
      baseUrl: service.url,
      apiKey: service.key.secret,
      hooks: { onWait: (event) => waits.push(event) },
      async fetch(url, init) {
        const fate = fates[sent.push(init) - 1] ?? pass;
        return fate(() => ask(url, init), init.signal as AbortSignal);
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
    /** Lets time pass until the promise is settled, but not while the service is at work. */
    async settled<T>(promise: Promise<T>): Promise<T> {
      let isSettled = false;
      const noteSettled = () => {
        isSettled = true;
      };
      promise.then(noteSettled, noteSettled);
      while (!isSettled) {
        await new Promise(setImmediate);
        if (underway === 0 && !isSettled) await time.step();
      }
      return promise;
    },
  };
}
