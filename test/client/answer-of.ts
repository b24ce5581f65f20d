import type { Answer } from '../../src/client/answer.ts';

export const RECEIVED_AT = 'Sun, 15 Nov 2026 12:00:00 GMT';

export function answerOf(status: number, headers: Record<string, string>, text = ''): Answer {
  const receivedAtMs = Date.parse(RECEIVED_AT);
  return { status, headers: new Headers(headers), text, requestId: undefined, receivedAtMs };
}
