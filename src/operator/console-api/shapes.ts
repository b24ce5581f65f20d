export { API_PREFIX } from '#contract/api.ts';
export type { KeyScope } from '#domain/api-key.ts';
export type { LastBackup } from '#domain/backend.ts';
export { ACCOUNT_STATES, KEY_FILTERS } from '#domain/operator/account-store.ts';
export { type OutcomeCounts, refusalsOf, requestsOf } from '#domain/operator/history.ts';
export type { LimitsPreview } from '#domain/operator/plan-preview.ts';
export type { NewPet } from '#domain/pet.ts';
export { PLANS, type Plan } from '#domain/plan.ts';
export type { AccountOrder } from './accounts.ts';

import type { LastBackup } from '#domain/backend.ts';
import { HOUR_SECONDS } from '#domain/durations.ts';
import type { SignedIn } from '#domain/operator/operators.ts';
import type { consoleRoutes } from './routes.ts';

// The shapes of the console API, for the page. The handlers say what each one is. The response to a change has no body
// unless its shape is here.

/** Every change needs this header. Pages of other sites cannot send it: a form has no headers, and CORS forbids the rest. */
export const CHANGE_HEADER = 'X-Animal-Store-Console';

export const SAMPLE_SECONDS = 5;
/** The service and the page keep the samples of an hour. */
export const KEPT_SAMPLES = HOUR_SECONDS / SAMPLE_SECONDS;

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

type Routes = ReturnType<typeof consoleRoutes>;

/** What the handlers return, by their routes. */
type Responses = { [Route in keyof Routes]: Awaited<ReturnType<Routes[Route]>> };

export type FailedRequest = Responses['GET /api/requests']['rows'][number];

export type History = Responses['GET /api/history'];
export type Days = History['days'];
export type RefusedAccount = History['refused'][number];

export type ListedAccount = Responses['GET /api/accounts']['rows'][number];
export type AccountAndKeys = Responses['GET /api/accounts/:name'];
export type AccountView = AccountAndKeys['account'];
export type AccountFacts = Responses['POST /api/accounts'];
export type Window = NonNullable<AccountView['usage']>['minute'];

export type Key = AccountAndKeys['keys'][number];
export type CreatedKey = Responses['POST /api/accounts/:name/keys'];
export type KeyOwner = Responses['POST /api/keys/find'];

export type PetView = Responses['GET /api/pets']['rows'][number];

export type Deprecations = Responses['GET /api/deprecations'];
export type CallerView = Deprecations['callers'][number];
export type BrownoutView = Deprecations['brownouts'][number];

export type AuditEntryView = Responses['GET /api/audit']['rows'][number];
