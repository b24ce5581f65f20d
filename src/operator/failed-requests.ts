import QuickLRU from 'quick-lru';
import { z } from 'zod';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest } from '#contract/exchange.ts';
import { addressSubject } from '#domain/rate-limit.ts';
import { formatTime } from '#domain/time-text.ts';
import type { UsageSources } from '#domain/usage-report.ts';
import { wholeNumber } from '#formats/int64.ts';
import { type ConsoleRoutes, pageOf } from './console-api/call.ts';

/** At least so many accounts, and as many addresses, keep their rows. Up to twice as many are kept. */
const MAX_SENDERS = 1_000;
/** In a flood from more addresses, nearly every row would be dropped before it is read, and a 401 would cost 4 % more. */
const MAX_NEW_ADDRESSES_PER_SECOND = 100;
/** With many keys, an account keeps only its latest rows. */
const MAX_ROWS_PER_SENDER = 20;
const IDS_PER_ROW = 20;

/** Makes a row for equal requests of a sender: with the same key, operation and error code. It takes up to 1.5 KB. */
function newRow(firstAtMs: number, key: number | null, operation: string, code: ErrorCode) {
  return {
    id: 0,
    firstAtMs,
    atMs: 0,
    count: 0,
    /** Null if no key is known. */
    account: null as string | null,
    key,
    operation,
    code,
    durationMs: 0,
    address: '',
    /** The ids of the last requests, the last one first. */
    requestIds: [] as string[],
  };
}

type Row = ReturnType<typeof newRow>;

/** The rows of the last senders. A sender is an account or, without a known key, an address. */
class FailureList {
  readonly #bySender = new QuickLRU<number | string, Row[]>({
    maxSize: MAX_SENDERS,
    onEviction: (_, rows) => this.#noteDropped(rows),
  });
  #second = 0;
  #newSenders = 0;

  constructor(
    /** Rows whose last request is not later may have been dropped. */
    public completeSinceMs: number,
    private readonly maxNewPerSecond: number,
  ) {}

  get rows(): Row[] {
    return [...this.#bySender.values()].flat();
  }

  rowsOf(sender: number | string): readonly Row[] {
    return this.#bySender.peek(sender) ?? [];
  }

  /** Returns the rows of a sender, or undefined if there are too many new senders. */
  open(sender: number | string, nowMs: number): Row[] | undefined {
    const kept = this.#bySender.get(sender);
    if (kept !== undefined) return kept;
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) this.#newSenders = 0;
    this.#second = second;
    if (++this.#newSenders > this.maxNewPerSecond) {
      this.completeSinceMs = nowMs;
      return undefined;
    }
    const rows: Row[] = [];
    this.#bySender.set(sender, rows);
    return rows;
  }

  add(rows: Row[], row: Row): void {
    if (rows.length >= MAX_ROWS_PER_SENDER) {
      this.#noteDropped(rows.sort((a, b) => a.id - b.id).splice(0, 1));
    }
    rows.push(row);
  }

  #noteDropped(rows: readonly Row[]): void {
    for (const { atMs } of rows) this.completeSinceMs = Math.max(this.completeSinceMs, atMs);
  }
}

/**
 * The last requests that were refused or failed. They are kept in memory, so that operators can see them while the
 * store is away. Equal requests share a row, and each sender has its own rows, so that a flood does not push out the
 * requests of others. Nothing that the caller wrote is kept, so no secret can appear in the console.
 */
export class FailedRequests {
  readonly ofAccounts: FailureList;
  readonly ofStrangers: FailureList;
  #recorded = 0;

  constructor(startedAtMs: number) {
    this.ofAccounts = new FailureList(startedAtMs, Infinity);
    this.ofStrangers = new FailureList(startedAtMs, MAX_NEW_ADDRESSES_PER_SECOND);
  }

  record(
    call: Omit<ObservedRequest, 'request' | 'rejection' | 'decision' | 'fault'>,
    code: ErrorCode,
    seconds: number,
  ): void {
    const { id: requestId, route, nowMs, address } = call;
    const { id: key = null, accountId, accountName = null } = call.key ?? call.refusedKey ?? {};
    // The metrics use the same name.
    const operation = route.operation ?? 'unknown';
    const list = accountId === undefined ? this.ofStrangers : this.ofAccounts;
    // An IPv6 host can send from a whole network.
    const rows = list.open(accountId ?? addressSubject(address), nowMs);
    if (rows === undefined) return;
    let row = rows.find(
      (each) => each.code === code && each.operation === operation && each.key === key,
    );
    if (row === undefined) {
      row = newRow(nowMs, key, operation, code);
      list.add(rows, row);
    }
    row.id = this.#recorded++;
    row.atMs = nowMs;
    row.count++;
    row.durationMs = seconds * 1000;
    row.address = address;
    if (row.requestIds.unshift(requestId) > IDS_PER_ROW) row.requestIds.pop();
    // The account may have been renamed.
    if (row.account !== accountName) for (const each of rows) each.account = accountName;
  }

  readonly lastOfKey: UsageSources['lastFailuresOf'] = ({ id, accountId }) =>
    this.ofAccounts
      .rowsOf(accountId)
      .filter(({ key }) => key === id)
      .flatMap(({ code, operation, requestIds }) =>
        requestIds.map((requestId) => {
          return { atMs: requestTime(requestId), code, operation, requestId };
        }),
      )
      // The ids begin with their time.
      .sort((a, b) => (a.requestId < b.requestId ? 1 : -1))
      .slice(0, IDS_PER_ROW);
}

function parseRequestId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  return z.uuidv7().safeParse(id).success ? id : undefined;
}

/** A request id begins with its time. */
function requestTime(requestId: string): number {
  return Number.parseInt(requestId.replace('-', ''), 16);
}

export function failedRequestRoutes(failed: FailedRequests) {
  return {
    'GET /api/requests'({ query, read }) {
      const rule = 'An X-Request-Id is a UUID, version 7.';
      const requestId = read('requestId', parseRequestId, rule);
      if (requestId !== undefined) return find(failed, requestId);
      const before = read('cursor', wholeNumber) ?? Infinity;
      const account = read('account', String);
      const isOfStrangers = account === undefined && query.get('callers') === 'unknown';
      const { rows, completeSinceMs } = isOfStrangers ? failed.ofStrangers : failed.ofAccounts;
      const chosen = rows.filter(
        (row) =>
          row.id < before &&
          (account === undefined || row.account === account) &&
          matches(ERRORS[row.code].status, query.get('status')) &&
          matches(row.code, query.get('code')),
      );
      const since = formatTime(completeSinceMs);
      return {
        ...pageOf(chosen.sort((a, b) => b.id - a.id).map(toJson)),
        note: `Complete since ${since}, for this instance. Equal requests share a row.`,
      };
    },
  } satisfies ConsoleRoutes;
}

/** A filter is the only value that is shown or, after "!", the only one that is not. */
function matches(value: string | number, filter: string | null): boolean {
  return !filter || (filter.replace('!', '') === `${value}`) !== filter.startsWith('!');
}

function find({ ofAccounts, ofStrangers }: FailedRequests, requestId: string) {
  const rows = [...ofAccounts.rows, ...ofStrangers.rows]
    .filter(({ requestIds }) => requestIds.includes(requestId))
    .map(toJson);
  const time = formatTime(requestTime(requestId));
  const since = formatTime(Math.max(ofAccounts.completeSinceMs, ofStrangers.completeSinceMs));
  const outcome =
    rows.length === 0
      ? `is not in this list, which has the failed requests since ${since}, and of equal ones the last ${IDS_PER_ROW}`
      : 'failed; the rest of its row is about the last request in it';
  const note = `The request of ${time} ${outcome}. With LOG_LEVEL=info, find it in the log: grep '"requestId":"${requestId}"'`;
  return { rows, next: null, note };
}

/** Equal requests to this instance that were refused or failed. Unless the name says otherwise, a field is of the last. */
function toJson({ firstAtMs, atMs, requestIds, ...row }: Row) {
  const { status } = ERRORS[row.code];
  const [requestId = ''] = requestIds;
  return { ...row, status, requestId, firstAt: formatTime(firstAtMs), at: formatTime(atMs) };
}
