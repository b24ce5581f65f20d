import { CHANGE_HEADER } from '../../contract/console-api.ts';
import { followClock } from './clock.ts';

export type * from '../../contract/console-api.ts';

/** A response that is not a success, or none at all: then the status is 0. */
export class ApiError extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** A path with its query. Empty parameters are left out. */
export function withQuery(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

/** `signed-out`: the service no longer accepts the session. `recovered`: it responds again. */
export const connection = new EventTarget();

/** Throws `ApiError`, whose message is for a person. */
export async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`api/${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        ...(method !== 'GET' && { [CHANGE_HEADER]: '1' }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The service does not respond.');
  }
  followClock(response.headers.get('Date'));
  const text = await response.text();
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T;
  if (response.status === 401 && path !== 'session') {
    connection.dispatchEvent(new Event('signed-out'));
  }
  const retryAfter = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  throw new ApiError(
    response.status,
    messageIn(text) ?? `The service responded with status ${response.status}.`,
    Number.isNaN(retryAfter) ? undefined : retryAfter,
  );
}

function messageIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text);
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

export function accountPath(name: string): string {
  return `accounts/${encodeURIComponent(name)}`;
}
