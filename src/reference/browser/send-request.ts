import type { Outcome } from '../outcome.ts';
import { type SampleRequest, urlOf } from '../samples/sample-request.ts';
import { followQuota } from './quota.ts';

/** The `Link` header of every error points to its explanation. */
const HELP = /#(\w+)>; rel="help"/;

/** Sends a request with a key, if there is one. Never throws. */
export async function sendRequest(
  request: SampleRequest,
  key: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const { method, body, values } = request;
  const headers: Record<string, string> = { ...values.header };
  if (key !== '') headers['Authorization'] = `Bearer ${key}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const wrong = Object.keys(headers).find((name) => !/^[\x20-\x7e]*$/.test(headers[name] ?? ''));
  if (wrong !== undefined) return notSent(wrong);
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
    return signal.aborted ? cancelled(method) : UNREACHABLE;
  }
}

function toOutcome(
  { status, statusText, headers }: Response,
  body: string,
  tookMs: number,
): Outcome {
  return {
    kind: 'response',
    status,
    reason: statusText,
    tookMs,
    headers: [...headers],
    body,
    isJson: /^application\/json\b/i.test(headers.get('Content-Type') ?? ''),
    errorCode: status >= 400 ? HELP.exec(headers.get('Link') ?? '')?.[1] : undefined,
  };
}

function notSent(header: string): Outcome {
  const culprit = header === 'Authorization' ? 'your API key' : header;
  const text = `A header may contain only ASCII characters. Check ${culprit}.`;
  return { kind: 'failure', title: 'Not sent', text };
}

function cancelled(method: string): Outcome {
  const text =
    method === 'GET'
      ? 'You cancelled the request.'
      : 'You cancelled the request. The service may have processed it already.';
  return { kind: 'failure', title: 'Cancelled', text };
}

const UNREACHABLE: Outcome = {
  kind: 'failure',
  title: 'No response',
  text: 'The service cannot be reached from this page. Check your connection, then send again.',
};
