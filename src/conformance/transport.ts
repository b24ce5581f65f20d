import { parseExactJson } from './exact-json.ts';
import type { Answer } from './exchange.ts';

/** A hundred animals are some ten kilobytes; what goes on for much longer is no answer. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** No answer, or none that could be read to its end; the message says why. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Sends one request and reads all of its answer. Redirects are answers like any other. */
export async function sendHttp(
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
  timeoutMs: number,
): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const { status, headers } = response;
    const text = await readText(response);
    return { status, headers, text, json: parseExactJson(text) };
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer(explain(error as Error, timeoutMs));
  }
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new NoAnswer('a body of more than 10 MiB');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function explain(error: Error & { code?: unknown }, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return `no whole answer within ${timeoutMs / 1000} s`;
  return typeof error.code === 'string'
    ? `no whole answer (${error.code})`
    : `no answer that HTTP knows (${error.message})`;
}
