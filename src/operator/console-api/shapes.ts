export { API_PREFIX } from '#contract/api.ts';
export type { KeyScope } from '#domain/api-key.ts';
export type { LastBackup } from '#domain/backend.ts';
export { HOUR_MS } from '#domain/durations.ts';
export { ACCOUNT_STATES, KEY_FILTERS } from '#domain/operator/account-store.ts';
export { type OutcomeCounts, refusalsOf, requestsOf } from '#domain/operator/history.ts';
export type { LimitsPreview as PlanPreview } from '#domain/operator/plan-preview.ts';
export type { NewPet } from '#domain/pet.ts';
export { PLANS, type Plan } from '#domain/plan.ts';

import type { LastBackup } from '#domain/backend.ts';
import type { auditEntryJson } from '#domain/operator/audit.ts';
import type { OutcomeCounts } from '#domain/operator/history.ts';
import type {
  accountJson,
  brownoutJson,
  callerJson,
  keyJson,
  listedPetJson,
  readWindows,
} from '#domain/operator/operator-json.ts';
import type { SignedIn } from '#domain/operator/operators.ts';

// The shapes of the console API, which the service and the page share. The response to a change has no body unless
// its shape is here.

/** Every change needs this header. Pages of other sites cannot send it: a form has no headers, and CORS forbids the rest. */
export const CHANGE_HEADER = 'X-Animal-Store-Console';

export const SAMPLE_SECONDS = 5;

/** One page of a list. */
export interface PageOfRows<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page. Null on the last page. */
  readonly next: string | number | null;
  /** The number of rows on all pages. Only in lists whose cursor is the number of rows before the page. */
  readonly total?: number;
  /** Shown above the list. */
  readonly note?: string;
}

export interface SessionFacts {
  readonly version: string;
  readonly environment: 'production' | 'staging';
  readonly startedAt: string;
  readonly store: string;
  readonly limiter: string;
  readonly instances: number;
  readonly publicUrl: string;
  readonly operator: SignedIn;
  /** The status of each error code. */
  readonly errors: Readonly<Record<string, number>>;
}

/** The requests to this instance in the last few seconds, and its state at their end. */
export interface Sample {
  readonly at: string;
  readonly byClass: Readonly<Record<'2xx' | '3xx' | '4xx' | '5xx', number>>;
  readonly refused: Readonly<Record<'minute' | 'day' | 'ban', number>>;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly inFlight: number;
  /** Undefined until the first check. */
  readonly isReady?: boolean | undefined;
  readonly redisAway: boolean;
  /** Absent on PostgreSQL, and while it is not known. */
  readonly lastBackup?: LastBackup | undefined;
}

/** Equal requests to this instance that were refused or failed. Unless the name says otherwise, a field is of the last. */
export interface FailedRequest {
  readonly id: number;
  readonly firstAt: string;
  readonly at: string;
  readonly count: number;
  readonly requestId: string;
  /** Null if no key is known. */
  readonly account: string | null;
  readonly key: number | null;
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly durationMs: number;
  readonly address: string;
}

/** The requests of the last 30 days, the oldest first. */
export type Days = readonly OutcomeCounts[];

/** The requests of an account in this hour and the last. */
export interface RefusedAccount extends OutcomeCounts {
  /** Null if the account was removed a moment ago. */
  readonly account: string | null;
}

export interface History {
  readonly days: Days;
  /** The accounts with the most refusals. */
  readonly refused: readonly RefusedAccount[];
}

type Windows = Awaited<ReturnType<typeof readWindows>>;

export type Window = Windows['minute'];

export type AccountFacts = ReturnType<typeof accountJson>;

export interface AccountView extends AccountFacts {
  /** Null if the limiter cannot be reached. */
  readonly usage: Windows | null;
}

/** An account with its requests of the last 30 days. */
export interface ListedAccount extends AccountView, OutcomeCounts {
  /** Null if the limiter cannot be reached. */
  readonly bannedKeys: number | null;
}

/** The orders in which the API can return accounts. After a "-", the greatest comes first. */
export type AccountOrder = 'name' | 'plan' | 'requests' | 'refused' | 'created';

export interface AccountAndKeys {
  readonly account: AccountView;
  readonly days: Days;
  readonly keys: readonly Key[];
}

export interface Key extends ReturnType<typeof keyJson> {
  readonly requestsIn30Days: number;
  readonly successorId: number | null;
  /** The time at which a successor with the same lifetime would expire. Null if this key never expires. */
  readonly renewedUntil: string | null;
}

/** The only response that contains a secret. */
export interface CreatedKey {
  readonly id: number;
  readonly secret: string;
}

export type KeyOwner = Pick<Key, 'id' | 'account'>;

/** A bigint is sent as text, because a browser would round the number. */
type Sent<Value> = Value extends bigint ? string : Value;

type ListedPet = ReturnType<typeof listedPetJson>;

export type PetView = { readonly [Field in keyof ListedPet]: Sent<ListedPet[Field]> };

export type CallerView = ReturnType<typeof callerJson>;

export type BrownoutView = ReturnType<typeof brownoutJson>;

/** An operation that will be removed, and the keys that still call it. */
export interface Deprecations {
  readonly operation: string;
  readonly removedAt: string;
  readonly daysLeft: number;
  /** The keys with the most requests. */
  readonly callers: readonly CallerView[];
  /** The number of all keys that called it. */
  readonly callerCount: number;
  /** Requests of each of the last 30 days, the oldest first. */
  readonly trend: readonly number[];
  readonly brownouts: readonly BrownoutView[];
}

export type AuditEntryView = ReturnType<typeof auditEntryJson>;
