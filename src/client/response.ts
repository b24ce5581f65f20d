import { type JsonValue, parseJson } from '../domain/json.ts';

/** A response whose body has arrived in full. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
  /** Quote it when you report a problem to the service's operator. */
  readonly requestId: string | undefined;
  /** By this machine's clock. */
  readonly receivedAtMs: number;
}

/** The parsed body, or undefined if it is not JSON. */
export function bodyOf({ text }: ReceivedResponse): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The code and message of an error response, or undefined if the body is not an Error. */
export function errorBodyOf(
  response: ReceivedResponse,
): { code: string; message: string } | undefined {
  const body = bodyOf(response) ?? null;
  if (response.status < 400 || body === null || typeof body !== 'object' || Array.isArray(body)) {
    return undefined;
  }
  const { code, message, status } = body;
  return typeof code === 'string' &&
    typeof message === 'string' &&
    status === BigInt(response.status)
    ? { code, message }
    : undefined;
}
