import { useEffect, useRef, useState } from 'preact/hooks';
import type { Outcome } from '../outcome.ts';
import type { SampleRequest } from '../samples/sample-request.ts';
import { apiKey } from './key-store.ts';
import { sendRequest } from './send-request.ts';

const TICK_MS = 100;

export interface Sender {
  readonly outcome: Outcome | undefined;
  /** How long the request in flight has taken. */
  readonly sendingMs: number | undefined;
  /** Cancels the request in flight, if there is one. */
  readonly send: (request: SampleRequest) => void;
  readonly cancel: () => void;
}

interface InFlight {
  readonly controller: AbortController;
  readonly startedAt: number;
}

/** Sends one request at a time. */
export function useSender(): Sender {
  const [outcome, setOutcome] = useState<Outcome>();
  const [inFlight, setInFlight] = useState<InFlight>();
  const [elapsedMs, setElapsedMs] = useState(0);
  const latest = useRef<AbortController>(undefined);

  const send = async (request: SampleRequest) => {
    latest.current?.abort();
    const controller = new AbortController();
    latest.current = controller;
    setElapsedMs(0);
    setInFlight({ controller, startedAt: performance.now() });
    const result = await sendRequest(request, apiKey.value, controller.signal);
    if (latest.current !== controller) return;
    setInFlight(undefined);
    setOutcome(result);
  };

  useEffect(() => {
    if (inFlight === undefined) return;
    const { controller, startedAt } = inFlight;
    const timer = setInterval(() => setElapsedMs(performance.now() - startedAt), TICK_MS);
    const cancelOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) controller.abort();
    };
    document.addEventListener('keydown', cancelOnEscape);
    return () => {
      clearInterval(timer);
      document.removeEventListener('keydown', cancelOnEscape);
    };
  }, [inFlight]);

  return {
    outcome,
    sendingMs: inFlight && elapsedMs,
    send,
    cancel: () => latest.current?.abort(),
  };
}
