import { followClock } from './clock.ts';

/** The operator's API. Ids of pets are text, because a JavaScript number cannot hold every int64. */

export interface PlanInfo {
  readonly name: string;
  readonly title: string;
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

export interface Session {
  readonly version: string;
  readonly startedAt: string;
  readonly store: string;
  readonly limiter: string;
  readonly instances: number;
  readonly publicUrl: string;
  readonly plans: readonly PlanInfo[];
  readonly removal: {
    readonly operation: string;
    readonly removedAt: string;
    readonly daysLeft: number;
  };
}

/** One second of this instance. */
export interface Sample {
  readonly at: string;
  readonly byClass: Readonly<Record<string, number>>;
  readonly refused: { readonly minute: number; readonly day: number; readonly ban: number };
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly inFlight: number;
  /** Null where the system cannot count them. */
  readonly connections: number | null;
  readonly store: { readonly alive: boolean; readonly ready: boolean };
  readonly redisAway: boolean;
}

export interface DayOfUse {
  readonly day: string;
  readonly served: number;
  readonly refused: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
}

export interface Window {
  readonly used: number;
  readonly limit: number;
}

export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: string;
  readonly perMinute: number;
  readonly perDay: number;
  readonly state: 'active' | 'suspended';
  readonly suspendedAt: string | null;
  readonly suspensionReason: string | null;
  readonly createdAt: string;
  /** Null if the limiter cannot be reached. */
  readonly usage: { readonly minute: Window; readonly day: Window } | null;
  /** Requests of each of the last 30 days, the oldest first. */
  readonly days: readonly number[];
}

export interface Key {
  readonly id: number;
  readonly label: string;
  readonly state: 'active' | 'banned' | 'suspended' | 'expired' | 'revoked' | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly bannedUntil: string | null;
  readonly lastUsedAt: string | null;
  readonly successorId: number | null;
}

export interface PlanPreview {
  readonly since: string;
  readonly requests: number;
  readonly refused: number;
  readonly refusedNow: number;
  readonly worst: {
    readonly at: string;
    readonly window: 'minute' | 'day';
    readonly requests: number;
    readonly refused: number;
  } | null;
}

export interface Pet {
  readonly id: string;
  readonly name: string;
  readonly categoryId: string;
  readonly status: string;
}

export interface Caller {
  /** Null if the key no longer exists. */
  readonly account: string | null;
  readonly key: number;
  readonly label: string;
  readonly lastDay: number;
  readonly lastWeek: number;
  readonly lastMonth: number;
  readonly firstAt: string;
  readonly lastAt: string;
}

export interface Brownout {
  readonly id: number;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly state: 'planned' | 'active' | 'over' | 'cancelled';
}

export interface Sunset {
  readonly operation: string;
  readonly removedAt: string;
  readonly daysLeft: number;
  readonly callers: readonly Caller[];
  readonly trend: readonly { readonly day: string; readonly requests: number }[];
  readonly brownouts: readonly Brownout[];
}

/** A value that is missing is empty. */
export interface FieldChange {
  readonly field: string;
  readonly from: string;
  readonly to: string;
}

export interface AuditEntry {
  readonly id: number;
  readonly at: string;
  readonly action: string;
  readonly subject: string;
  readonly account: string | null;
  readonly changes: readonly FieldChange[];
  readonly command: string;
  readonly operator: string;
}

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
        ...(method !== 'GET' && { 'X-Animal-Store-Console': '1' }),
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
