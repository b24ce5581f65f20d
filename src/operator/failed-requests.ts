import { z } from 'zod';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest } from '#contract/exchange.ts';
import { addressSubject } from '#domain/rate-limit.ts';
import { formatTime } from '#domain/time-text.ts';
import type { UsageSources } from '#domain/usage-report.ts';
import { wholeNumber } from '#formats/int64.ts';
import { type ConsoleRoutes, pageOf } from './console-api/call.ts';
import type { FailedRequest, PageOfRows } from './console-api/shapes.ts';

/** So many accounts and as many strangers, which are addresses without a known key, keep their rows. */
const MAX_SENDERS = 1_000;
/**
 * A sender keeps its place for this time after its last request. Without it, a flood by more senders than there are
 * places would make new rows for each request, and take 10 % longer.
 */
const MIN_KEPT_MS = 1_000;
/** Most senders have only a few rows, of up to 1.5 KB. */
const MAX_ROWS = 25;
const IDS_PER_ROW = 20;

/** Equal requests of a sender: with the same key, operation and error code. */
interface Row {
  id: number;
  readonly firstAtMs: number;
  atMs: number;
  count: number;
  readonly key: number | null;
  readonly operation: string;
  readonly code: ErrorCode;
  durationMs: number;
  address: string;
  /** The ids of the last requests, the last one first. */
  readonly requestIds: string[];
}

/** An account or, without a known key, an address. */
interface Sender {
  account: string | null;
  lastAtMs: number;
  /** The row of the last request is the last one. */
  readonly rows: Row[];
  /** Rows whose last request is not later may have been dropped. */
  completeSinceMs: number;
}

/** The last senders, by the ids of accounts or by addresses. */
class Senders {
  /** The sender of the last request is the last one. */
  readonly #byId = new Map<number | string, Sender>();
  #fullUntilMs = 0;

  constructor(
    /** Senders whose last request is not later may have been dropped. */
    private completeSinceMs: number,
  ) {}

  rowsOf(id: number): readonly Row[] {
    return this.#byId.get(id)?.rows ?? [];
  }

  /** Returns undefined if the sender has no place. */
  get(id: number | string, nowMs: number): Sender | undefined {
    let sender = this.#byId.get(id);
    if (sender !== undefined) this.#byId.delete(id);
    else {
      if (this.#byId.size === MAX_SENDERS && !this.#dropOldest(nowMs)) {
        this.completeSinceMs = nowMs;
        return undefined;
      }
      const { completeSinceMs } = this;
      sender = { account: null, lastAtMs: 0, rows: [], completeSinceMs };
    }
    sender.lastAtMs = nowMs;
    this.#byId.set(id, sender);
    return sender;
  }

  #dropOldest(nowMs: number): boolean {
    // To look for the oldest sender at each request of a flood would make these requests 5 % slower.
    if (nowMs < this.#fullUntilMs) return false;
    const [[id, { lastAtMs }] = ['', { lastAtMs: nowMs }]] = this.#byId;
    this.#fullUntilMs = lastAtMs + MIN_KEPT_MS;
    if (nowMs < this.#fullUntilMs) return false;
    this.completeSinceMs = lastAtMs;
    return this.#byId.delete(id);
  }

  /** Returns the rows of all senders or of one account, the last first, and the time since which they are complete. */
  read(account = '') {
    const chosen = [...this.#byId.values()].filter((each) => !account || each.account === account);
    // A single sender knows its time. Of several, another one may have been dropped as a whole.
    const sinceMs = chosen.length === 1 ? 0 : this.completeSinceMs;
    const rowsOf = ({ account, rows }: Sender) => rows.map((row) => ({ ...row, account }));
    return {
      rows: chosen.flatMap(rowsOf).sort((a, b) => b.id - a.id),
      completeSinceMs: Math.max(sinceMs, ...chosen.map((sender) => sender.completeSinceMs)),
    };
  }
}

/**
 * The last requests that were refused or failed. They are kept in memory, so that operators can see them while the
 * store is away. Equal requests share a row, and each account and each address has its own rows, so that a flood does
 * not push out the requests of others. Nothing that the caller wrote is kept, so no secret can appear in the console.
 */
export class FailedRequests {
  readonly accounts: Senders;
  readonly strangers: Senders;
  #recorded = 0;

  constructor(startedAtMs: number) {
    this.accounts = new Senders(startedAtMs);
    this.strangers = new Senders(startedAtMs);
  }

  record(
    call: Omit<ObservedRequest, 'request' | 'rejection' | 'decision' | 'fault'>,
    code: ErrorCode,
    seconds: number,
  ): void {
    const { id, nowMs, address, key = call.refusedKey } = call;
    const sender = key
      ? this.accounts.get(key.accountId, nowMs)
      : // An IPv6 host can send from a whole network.
        this.strangers.get(addressSubject(address), nowMs);
    if (sender === undefined) return;
    sender.account = key?.accountName ?? null;
    const row = this.#takeRow(sender, key?.id ?? null, call, code);
    row.id = this.#recorded++;
    row.atMs = nowMs;
    row.count++;
    row.durationMs = seconds * 1000;
    row.address = address;
    if (row.requestIds.unshift(id) > IDS_PER_ROW) row.requestIds.pop();
    sender.rows.push(row);
  }

  /** Takes the row of equal requests out of the others, or makes one, which may have the place of the oldest. */
  #takeRow(
    sender: Sender,
    key: number | null,
    { route, nowMs, address }: Pick<ObservedRequest, 'route' | 'nowMs' | 'address'>,
    code: ErrorCode,
  ): Row {
    const { rows } = sender;
    // The metrics use the same name.
    const operation = route.operation ?? 'unknown';
    const index = rows.findIndex(
      (row) => row.code === code && row.key === key && row.operation === operation,
    );
    const [known] = index === -1 ? [] : rows.splice(index, 1);
    if (known !== undefined) return known;
    if (rows.length === MAX_ROWS) sender.completeSinceMs = rows.shift()?.atMs ?? 0;
    const firstAtMs = nowMs;
    return {
      id: 0,
      firstAtMs,
      atMs: 0,
      count: 0,
      key,
      operation,
      code,
      durationMs: 0,
      address,
      requestIds: [],
    };
  }

  readonly lastOfKey: UsageSources['lastFailuresOf'] = ({ id, accountId }) =>
    this.accounts
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

type FoundRow = ReturnType<Senders['read']>['rows'][number];

function parseRequestId(text: string): string | undefined {
  const id = text.trim().toLowerCase();
  return z.uuidv7().safeParse(id).success ? id : undefined;
}

/** A request id begins with its time. */
function requestTime(requestId: string): number {
  return Number.parseInt(requestId.replace('-', ''), 16);
}

export function failedRequestRoutes(failed: FailedRequests): ConsoleRoutes {
  return {
    '/api/requests': {
      GET({ query, read }): PageOfRows<FailedRequest> {
        const rule = 'An X-Request-Id is a UUID, version 7.';
        const requestId = read('requestId', parseRequestId, rule);
        if (requestId !== undefined) return find(failed, requestId);
        const before = read('cursor', wholeNumber) ?? Infinity;
        const account = read('account', String);
        const isOfStrangers = account === undefined && query.get('callers') === 'unknown';
        const senders = isOfStrangers ? failed.strangers : failed.accounts;
        const { rows, completeSinceMs } = senders.read(account);
        const isChosen = ({ id, ...row }: FoundRow) =>
          id < before &&
          matches(ERRORS[row.code].status, query.get('status')) &&
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

function find(failed: FailedRequests, requestId: string) {
  const askedAtMs = requestTime(requestId);
  const lists = [failed.accounts.read(), failed.strangers.read()];
  const rows = lists.flatMap((list) => list.rows);
  const found = rows.filter(({ requestIds }) => requestIds.includes(requestId)).map(toJson);
  const mayHaveHad = ({ count, firstAtMs, atMs }: Row) =>
    // An id is made just before the time of its request is read.
    count > IDS_PER_ROW && firstAtMs <= askedAtMs + 1 && askedAtMs <= atMs;
  const isUnknown =
    lists.some((list) => askedAtMs <= list.completeSinceMs) || rows.some(mayHaveHad);
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
  const { status } = ERRORS[row.code];
  const [requestId = ''] = requestIds;
  return { ...row, status, requestId, firstAt: formatTime(firstAtMs), at: formatTime(atMs) };
}
