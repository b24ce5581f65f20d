import { useRef, useState } from 'preact/hooks';
import { bodyOf, headersOf, type SampleRequest, urlOf } from '#reference/samples/sample-request.ts';
import type { Outcome } from './response-view.tsx';
import { apiKey } from './stored-text.ts';

/** The `Link` header of every error points to its explanation. */
const HELP = /#(\w+)>; rel="help"/;
const NEXT = /[?&]after=(-?\d+)[^>]*>; rel="next"/;

/** Sends one request at a time. Shows an example until the first outcome. */
export function useSender(example: Outcome) {
  const [outcome, setOutcome] = useState(example);
  const [isSending, setSending] = useState(false);
  const sending = useRef<AbortController>(undefined);

  /** While a request is on its way, cancels it instead. */
  const sendOrCancel = async (read: () => SampleRequest) => {
    if (sending.current !== undefined) return sending.current.abort();
    sending.current = new AbortController();
    setSending(true);
    const { signal } = sending.current;
    await findPet(read(), signal);
    setOutcome(await sendRequest(read(), signal));
    setSending(false);
    sending.current = undefined;
  };

  return { outcome, isSending, sendOrCancel };
}

/** Sends a request with the reader's key, if there is one. Never throws. */
async function sendRequest(request: SampleRequest, signal: AbortSignal): Promise<Outcome> {
  const { method } = request;
  const headers = headersOf(request);
  if (apiKey.value !== '') headers.push(['Authorization', `Bearer ${apiKey.value}`]);
  const startedAt = performance.now();
  // The browser would refuse to send such headers.
  if (headers.some(([, value]) => /[^\x20-\x7e]/.test(value)))
    return { title: 'Not sent', note: NOT_ASCII };
  try {
    const response = await fetch(urlOf(request), {
      method,
      headers,
      signal,
      body: bodyOf(request) ?? null,
      cache: 'no-store',
      credentials: 'omit',
    });
    const outcome = await toOutcome(response, startedAt);
    if (response.ok) offerPet(method === 'POST', outcome.body);
    return outcome;
  } catch (error) {
    if (!signal.aborted) return { title: 'No response', note: `${UNREACHABLE} ${error}` };
    const doubt = method === 'GET' ? '' : 'The service may have processed the request already.';
    return { title: 'Canceled', note: doubt };
  }
}

const NOT_ASCII = 'A header may contain only ASCII characters. Check your API key.';
const UNREACHABLE =
  'The service cannot be reached from this page. Check your connection and the headers.';

let offered: 'nothing' | 'listed' | 'added' = 'nothing';
const idField = () => document.querySelector<HTMLInputElement>('[data-place=path]');

/** There may be no pet with the id of the example. Before the first request, this asks the list for one. */
async function findPet(request: SampleRequest, signal: AbortSignal): Promise<void> {
  const [path = '', parameter] = request.path.split('/{');
  const field = idField();
  const isUntouched = offered === 'nothing' && field?.value === field?.defaultValue;
  if (parameter === undefined || !isUntouched || apiKey.value === '') return;
  offered = 'listed';
  const values = { path: {}, query: { limit: '1' }, header: {} };
  await sendRequest({ ...request, path, values }, signal);
}

/**
 * Puts the id of a pet that exists into the field, unless the reader has changed the field. This is the pet
 * that was added last, or the first pet of a list if none was added.
 */
function offerPet(isNew: boolean, body: string): void {
  const [, id] = /"id":(-?\d+)/.exec(body) ?? [];
  const field = idField();
  if (id === undefined || field === null || (offered === 'added' && !isNew)) return;
  offered = isNew ? 'added' : 'listed';
  field.defaultValue = id;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

async function toOutcome(response: Response, startedAt: number) {
  const { status, statusText, headers } = response;
  const body = await response.text();
  const link = headers.get('Link') ?? '';
  return {
    title: `${status} ${statusText}`.trim(),
    status,
    note: `${Math.round(performance.now() - startedAt)} ms${limitsIn(headers)}`,
    body,
    headers: [...headers],
    nextAfter: NEXT.exec(link)?.[1],
    errorCode: HELP.exec(link)?.[1],
  };
}

/** Says how many requests are left. The response of a proxy may lack these headers. */
function limitsIn(headers: Headers): string {
  const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    headers.get(`X-RateLimit-${name}`),
  );
  if (!reset) return '';
  const time = new Date(Number(reset) * 1000).toLocaleTimeString('en-GB');
  return `, ${remaining} of ${limit} requests left until ${time}`;
}
