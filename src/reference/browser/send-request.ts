import { useEffect, useRef, useState } from 'preact/hooks';
import { type SampleRequest, urlOf } from '../samples/sample-request.ts';
import { apiKey, followQuota } from './key-field.tsx';
import type { Outcome } from './response-view.tsx';

/** The `Link` header of every error points to its explanation. */
const HELP = /#(\w+)>; rel="help"/;
const NEXT = /[?&]after=(-?\d+)[^>]*>; rel="next"/;

/** Sends one request at a time. Shows an example until the first outcome. */
export function useSender(example: Outcome) {
  const [outcome, setOutcome] = useState(example);
  const [isSending, setSending] = useState(false);
  const latest = useRef<AbortController>(undefined);
  const cancel = () => latest.current?.abort();

  const send = async (request: SampleRequest) => {
    cancel();
    const controller = new AbortController();
    latest.current = controller;
    setSending(true);
    const result = await sendRequest(request, controller.signal);
    if (latest.current !== controller) return;
    setSending(false);
    setOutcome(result);
  };

  useEffect(() => {
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) cancel();
    });
  }, []);

  return { outcome, isSending, send, cancel };
}

/** Sends a request with the reader's key, if there is one. Never throws. */
async function sendRequest(request: SampleRequest, signal: AbortSignal): Promise<Outcome> {
  const { method, body, values } = request;
  const headers: Record<string, string> = { ...values.header };
  if (apiKey.value !== '') headers['Authorization'] = `Bearer ${apiKey.value}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const wrong = Object.keys(headers).find((name) => !/^[\x20-\x7e]*$/.test(headers[name] ?? ''));
  if (wrong !== undefined) {
    const culprit = wrong === 'Authorization' ? 'your API key' : wrong;
    const text = `A header may contain only ASCII characters. Check ${culprit}.`;
    return { title: 'Not sent', body: text };
  }
  const startedAt = performance.now();
  try {
    const response = await fetch(urlOf(request), {
      method,
      headers,
      signal,
      ...(body !== undefined && { body }),
      cache: 'no-store',
      credentials: 'omit',
    });
    followQuota(response);
    const text = await response.text();
    return toOutcome(response, text, performance.now() - startedAt);
  } catch {
    return signal.aborted ? canceled(method) : UNREACHABLE;
  }
}

function toOutcome(response: Response, body: string, tookMs: number): Outcome {
  const { status, statusText, headers } = response;
  const link = headers.get('Link') ?? '';
  return {
    title: `${status} ${statusText}`.trim(),
    status,
    note: durationOf(tookMs),
    body,
    isJson: /^application\/json\b/i.test(headers.get('Content-Type') ?? ''),
    headers: [...headers],
    nextAfter: NEXT.exec(link)?.[1],
    errorCode: status >= 400 ? HELP.exec(link)?.[1] : undefined,
  };
}

/** Such as `12 ms` or `1.5 s`. */
function durationOf(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function canceled(method: string): Outcome {
  const body =
    method === 'GET'
      ? 'You canceled the request.'
      : 'You canceled the request. The service may have processed it already.';
  return { title: 'Canceled', body };
}

const UNREACHABLE: Outcome = {
  title: 'No response',
  body: 'The service cannot be reached from this page. Check your connection, then send again.',
};
