import { type JsonValue, parseJson } from '../domain/json.ts';

/** An answer that has arrived whole. */
export interface Answer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
  /** What to name when asking the operator of the service about it. */
  readonly requestId: string | undefined;
  /** By the clock of this machine. */
  readonly receivedAtMs: number;
}

/** The body of an answer, or undefined when it is no JSON. */
export function bodyOf({ text }: Answer): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The code and message of an error, or undefined when the body is none of this interface. */
export function errorBodyOf(answer: Answer): { code: string; message: string } | undefined {
  const body = bodyOf(answer) ?? null;
  if (answer.status < 400 || body === null || typeof body !== 'object' || Array.isArray(body)) {
    return undefined;
  }
  const { code, message, status } = body;
  return typeof code === 'string' && typeof message === 'string' && status === BigInt(answer.status)
    ? { code, message }
    : undefined;
}
