import { parseExactJson } from './exact-json.ts';
import type { ApiResponse } from './round-trip.ts';

/** A hundred pets are about ten kilobytes. A much longer body is not a valid response. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** No complete response arrived. The message says why. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** Sends one request and reads the whole response. Does not follow redirects. */
export async function sendHttp(
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
  timeoutMs: number,
): Promise<ApiResponse> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const { status, headers } = response;
    const text = await readText(response);
    return { status, headers, text, json: parseExactJson(text) };
  } catch (error) {
    if (error instanceof NoResponse) throw error;
    throw new NoResponse(explain(error as Error, timeoutMs));
  }
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new NoResponse('a body of more than 10 MiB');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function explain(error: Error & { code?: unknown }, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return `no complete response within ${timeoutMs / 1000} s`;
  return typeof error.code === 'string'
    ? `no complete response (${error.code})`
    : `no valid HTTP response (${error.message})`;
}
