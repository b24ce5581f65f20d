import QuickLRU from 'quick-lru';
import { z } from 'zod';
import type { ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest } from '#contract/exchange.ts';
import type { KnownKey } from '#domain/api-key.ts';
import { formatTime } from '#domain/time-text.ts';
import { wholeNumber } from '#formats/int64.ts';
import { type ConsoleRoutes, pageOf } from './console-api/call.ts';
import type { FailedRequest, PageOfRows } from './console-api/shapes.ts';

/** Each list keeps at least as many entries, and fewer than twice as many. Most have few rows, of a few hundred bytes. */
const MIN_ACCOUNTS = 200;
const MIN_ROWS = { ofAccount: 25, withoutKey: 500 };
const IDS_PER_ROW = 20;

/** Equal requests: of one key, or of one address without a known key, with the same operation and error code. */
interface Row {
  id: number;
  readonly firstAtMs: number;
  atMs: number;
  count: number;
  readonly key: number | null;
  readonly operation: string;
  readonly status: number;
  readonly code: ErrorCode;
  durationMs: number;
  address: string;
  /** The ids of the last requests. Each new id takes the place of the oldest. */
  readonly requestIds: string[];
}

/** The rows of an account, or those without a known key. */
class Rows {
  readonly byName: QuickLRU<string, Row>;
  /** Null without a known key. */
  account: string | null = null;
  lastAtMs = 0;

  constructor(
    maxSize: number,
    /** Rows whose last request is not later may have been dropped. */
    public completeSinceMs: number,
  ) {
    const onEviction = (_: string, { atMs }: Row) => {
      this.completeSinceMs = Math.max(this.completeSinceMs, atMs);
    };
    this.byName = new QuickLRU({ maxSize, onEviction });
  }
}

/**
 * The last requests that were refused or failed. They are kept in memory, so that operators can see them while the
 * store is away. Equal requests share a row, and each account has its own rows, so that a flood does not push out the
 * requests of others. Nothing that the caller wrote is kept, so no secret can appear in the console.
 */
export class FailedRequests {
  /** By the id of the account, which is undefined without a known key. */
  readonly #accounts = new QuickLRU<number | undefined, Rows>({
    maxSize: MIN_ACCOUNTS,
    onEviction: (_, { lastAtMs }) => {
      this.completeSinceMs = Math.max(this.completeSinceMs, lastAtMs);
    },
  });
  #recorded = 0;

  constructor(private completeSinceMs: number) {}

  /** A flood of refused requests must stay cheap, so this changes the row in place. */
  record(
    call: Omit<ObservedRequest, 'request' | 'decision' | 'fault'>,
    status: number,
    code: ErrorCode,
    seconds: number,
  ): void {
    const { id, nowMs, address, key = call.refusedKey } = call;
    // The metrics use the same name.
    const operation = call.route.operation ?? 'unknown';
    const rows = this.#rowsOf(key);
    rows.lastAtMs = nowMs;
    const name = `${key?.id ?? address} ${code} ${operation}`;
    let row = rows.byName.get(name);
    if (row === undefined) {
      const facts = { key: key?.id ?? null, operation, status, code, firstAtMs: nowMs };
      row = { ...facts, id: 0, atMs: 0, count: 0, durationMs: 0, address, requestIds: [] };
      rows.byName.set(name, row);
    }
    row.id = this.#recorded++;
    row.atMs = nowMs;
    row.durationMs = seconds * 1000;
    row.address = address;
    row.requestIds[row.count++ % IDS_PER_ROW] = id;
  }

  #rowsOf(key: KnownKey | undefined): Rows {
    const id = key?.accountId;
    let rows = this.#accounts.get(id);
    if (rows === undefined) {
      rows = new Rows(MIN_ROWS[key ? 'ofAccount' : 'withoutKey'], this.completeSinceMs);
      this.#accounts.set(id, rows);
    }
    rows.account = key?.accountName ?? null;
    return rows;
  }

  /** Returns the chosen rows, the last one first, and the time since which they are complete. */
  read(isChosen: (rows: Rows) => boolean) {
    const chosen = [...this.#accounts.values()].filter(isChosen);
    // A single account knows its time. Of several, another one may have been dropped as a whole.
    const sinceMs = chosen.length === 1 ? 0 : this.completeSinceMs;
    const rowsOf = ({ account, byName }: Rows) =>
      [...byName.values()].map((row) => ({ ...row, account }));
    return {
      rows: chosen.flatMap(rowsOf).sort((a, b) => b.id - a.id),
      completeSinceMs: Math.max(sinceMs, ...chosen.map((rows) => rows.completeSinceMs)),
    };
  }
}

type FoundRow = ReturnType<FailedRequests['read']>['rows'][number];

/** Returns the time in a request id, in milliseconds. */
function requestTime(id: string): number | undefined {
  const isValid = z.uuidv7().safeParse(id).success;
  return isValid ? Number.parseInt(id.replace('-', ''), 16) : undefined;
}

export function failedRequestRoutes(failed: FailedRequests): ConsoleRoutes {
  return {
    '/api/requests': {
      GET({ query, read }): PageOfRows<FailedRequest> {
        const askedAtMs = read('requestId', requestTime, 'An X-Request-Id is a UUID, version 7.');
        if (askedAtMs !== undefined) return find(failed, `${query.get('requestId')}`, askedAtMs);
        const before = read('cursor', wholeNumber) ?? Infinity;
        const name = query.get('account');
        const isWithoutKey = query.get('callers') === 'unknown';
        const { rows, completeSinceMs } = failed.read(({ account }) =>
          name ? account === name : (account === null) === isWithoutKey,
        );
        const isChosen = ({ id, ...row }: FoundRow) =>
          id < before &&
          matches(row.status, query.get('status')) &&
          matches(row.code, query.get('code'));
        const page = pageOf(rows.filter(isChosen).map(toJson));
        const since = formatTime(completeSinceMs);
        return {
          ...page,
          note: `Complete since ${since}, for this instance. Equal requests share a row.`,
        };
      },
    },
  };
}

/** A filter is the only value that is shown or, after "!", the only one that is not. */
function matches(value: string | number, filter: string | null): boolean {
  return !filter || (filter.replace('!', '') === `${value}`) !== filter.startsWith('!');
}

function find(failed: FailedRequests, requestId: string, askedAtMs: number) {
  const { rows, completeSinceMs } = failed.read(() => true);
  const found = rows.filter(({ requestIds }) => requestIds.includes(requestId)).map(toJson);
  const mayHaveHad = ({ count, firstAtMs, atMs }: Row) =>
    // An id is made just before the time of its request is read.
    count > IDS_PER_ROW && firstAtMs <= askedAtMs + 1 && askedAtMs <= atMs;
  const isUnknown = askedAtMs <= completeSinceMs || rows.some(mayHaveHad);
  let outcome = 'failed; the row shows the last of its requests';
  if (found.length === 0) {
    outcome = isUnknown
      ? `may have failed; a row keeps ${IDS_PER_ROW} ids, and old rows are dropped`
      : 'did not fail on this instance';
  }
  const time = formatTime(askedAtMs);
  const note = `The request of ${time} ${outcome}. With LOG_LEVEL=info, find it in the log: grep '"requestId":"${requestId}"'`;
  return { rows: found, next: null, note };
}

function toJson({ firstAtMs, atMs, requestIds, ...row }: FoundRow): FailedRequest {
  const requestId = requestIds[(row.count - 1) % IDS_PER_ROW] ?? '';
  return { ...row, requestId, firstAt: formatTime(firstAtMs), at: formatTime(atMs) };
}
