import type { ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest } from '#contract/exchange.ts';
import type { KnownKey } from '#domain/api-key.ts';
import { formatTime } from '#domain/time-text.ts';
import { wholeNumber } from '#formats/int64.ts';
import { type ConsoleRoutes, pageOf, ROWS_PER_PAGE } from './console-api/call.ts';
import type { FailedRequest, PageOfRows } from './console-api/shapes.ts';

const MAX_ROWS = 5_000;
const ROWS_WITHOUT_KEY = 1_000;
const IDS_PER_ROW = 20;

/** Equal requests: of one key, or of one address without a known key, with the same operation and error code. */
interface Row extends Omit<FailedRequest, 'firstAt' | 'at'> {
  readonly firstAtMs: number;
  readonly atMs: number;
  /** The ids of the last requests. Each new id takes the place of the oldest. */
  readonly requestIds: string[];
}

/** The rows of an account, or those without a known key. */
interface Rows {
  account: string | null;
  /** The row with the last request comes last. */
  readonly byName: Map<string, Row>;
  /** Rows whose last request is older may have been dropped. */
  completeSinceMs: number;
}

/**
 * The last requests that were refused or failed. They are kept in memory, so that operators can see them while the
 * store is away. Equal requests share a row, and each account has its own places, so that a flood does not push out the
 * requests of others. Nothing that the caller wrote is kept, so no secret can appear in the console.
 */
export class FailedRequests {
  /** By the id of the account, which is undefined without a known key. The account with the last request comes last. */
  readonly #accounts = new Map<number | undefined, Rows>();
  #rows = 0;
  #recorded = 0;

  constructor(private completeSinceMs: number) {}

  record(call: Omit<ObservedRequest, 'request' | 'decision' | 'fault'>, failure: Failure): void {
    const { id: requestId, nowMs: atMs, address, key = call.refusedKey } = call;
    const rows = this.#rowsOf(key);
    const { byName } = rows;
    // The metrics use the same name.
    const operation = call.route.operation ?? 'unknown';
    const name = `${key?.id ?? address} ${failure.code} ${operation}`;
    const { firstAtMs = atMs, count = 0, requestIds = [] } = byName.get(name) ?? {};
    requestIds[count % IDS_PER_ROW] = requestId;
    byName.delete(name);
    byName.set(name, {
      ...failure,
      id: this.#recorded++,
      firstAtMs,
      atMs,
      count: count + 1,
      requestId,
      requestIds,
      account: rows.account,
      key: key?.id ?? null,
      operation,
      address,
    });
    if (count === 0) this.#makeRoom(rows);
  }

  #rowsOf(key: KnownKey | undefined): Rows {
    const id = key?.accountId;
    const { completeSinceMs } = this;
    const rows = this.#accounts.get(id) ?? { account: null, byName: new Map(), completeSinceMs };
    rows.account = key?.accountName ?? null;
    this.#accounts.delete(id);
    this.#accounts.set(id, rows);
    return rows;
  }

  /** After a new row, drops an old one if there are too many. The account whose last request is oldest loses its rows first. */
  #makeRoom(rows: Rows): void {
    const places = rows.account === null ? ROWS_WITHOUT_KEY : ROWS_PER_PAGE;
    if (rows.byName.size > places) {
      dropOldest(rows);
    } else if (++this.#rows > MAX_ROWS) {
      this.#rows--;
      const [[id, oldest] = [0, rows]] = this.#accounts;
      dropOldest(oldest);
      if (oldest.byName.size > 0) return;
      this.#accounts.delete(id);
      this.completeSinceMs = oldest.completeSinceMs;
    }
  }

  /** Returns the chosen rows, the last one first, and the time since which they are complete. */
  read(isChosen: (rows: Rows) => boolean) {
    const chosen = [...this.#accounts.values()].filter(isChosen);
    // A single account knows its time. Another one may have lost all its rows.
    const sinceMs = chosen.length === 1 ? 0 : this.completeSinceMs;
    return {
      rows: chosen.flatMap(({ byName }) => [...byName.values()]).sort((a, b) => b.id - a.id),
      completeSinceMs: Math.max(sinceMs, ...chosen.map((rows) => rows.completeSinceMs)),
    };
  }
}

type Failure = Pick<FailedRequest, 'status' | 'durationMs'> & { readonly code: ErrorCode };

function dropOldest(rows: Rows): void {
  const [[name, { atMs }] = ['', { atMs: 0 }]] = rows.byName;
  rows.byName.delete(name);
  rows.completeSinceMs = Math.max(rows.completeSinceMs, atMs);
}

/** Returns the time in a request id, which is a UUID of version 7. */
function requestTimeMs(id: string): number | undefined {
  const [, high, low] =
    /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/.exec(id) ?? [];
  return high && low ? Number.parseInt(high + low, 16) : undefined;
}

const ID_RULE = 'An X-Request-Id is a UUID of version 7, with 36 characters.';

export function failedRequestRoutes(failed: FailedRequests): ConsoleRoutes {
  return {
    '/api/requests': {
      GET({ query, read }): PageOfRows<FailedRequest> {
        const requestMs = read('requestId', requestTimeMs, ID_RULE);
        if (requestMs !== undefined)
          return findRequest(failed, `${query.get('requestId')}`, requestMs);
        const before = read('cursor', wholeNumber) ?? Infinity;
        const name = query.get('account') || undefined;
        const isWithoutKey = query.get('callers') === 'unknown';
        const { rows, completeSinceMs } = failed.read(({ account }) =>
          name ? account === name : (account === null) === isWithoutKey,
        );
        const found = rows.filter(
          ({ id, status, code }) =>
            id < before &&
            isChosen(status, query.get('status')) &&
            isChosen(code, query.get('code')),
        );
        const { rows: shown, next } = pageOf(found);
        const note = `This instance has all failed requests since ${formatTime(completeSinceMs)}. Equal ones share a row.`;
        return { rows: shown.map(toJson), next, note };
      },
    },
  };
}

/** A filter names one value or, after "!", the only value that is left out. */
function isChosen(value: string | number, filter: string | null): boolean {
  return !filter || (filter.startsWith('!') ? filter !== `!${value}` : filter === `${value}`);
}

function findRequest(failed: FailedRequests, requestId: string, requestMs: number) {
  const { rows, completeSinceMs } = failed.read(() => true);
  const row = rows.find(({ requestIds }) => requestIds.includes(requestId));
  const mayBeDropped =
    requestMs <= completeSinceMs ||
    rows.some(
      // An id is made just before the time of its request is read.
      ({ count, firstAtMs, atMs }) =>
        count > IDS_PER_ROW && firstAtMs <= requestMs + 1 && requestMs <= atMs,
    );
  const outcome = row
    ? `failed. The row shows the last of ${row.count} equal requests`
    : mayBeDropped
      ? `may have failed: this instance keeps ${IDS_PER_ROW} ids of equal requests, and not all old ones`
      : 'did not fail on this instance';
  return {
    rows: row ? [toJson(row)] : [],
    next: null,
    note: `The request of ${formatTime(requestMs)} ${outcome}. With LOG_LEVEL=info, find it in the log: grep '"requestId":"${requestId}"'`,
  };
}

function toJson({ firstAtMs, atMs, requestIds, ...row }: Row): FailedRequest {
  return { ...row, firstAt: formatTime(firstAtMs), at: formatTime(atMs) };
}
