import type { ReceivedResponse } from '../../packages/client/src/response.ts';

export const RECEIVED_AT = 'Sun, 15 Nov 2026 12:00:00 GMT';

export function receivedResponse(
  status: number,
  headers: Record<string, string>,
  text = '',
): ReceivedResponse {
  const receivedAtMs = Date.parse(RECEIVED_AT);
  const url = 'https://shop.example/v1/pets';
  return { url, status, headers: new Headers(headers), text, requestId: undefined, receivedAtMs };
}
