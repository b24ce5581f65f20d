import { z } from 'zod';
import { ERRORS, type ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest } from '#contract/exchange.ts';
import { addressSubject } from '#domain/rate-limit.ts';
import { formatTime } from '#domain/time-text.ts';
import type { UsageSources } from '#domain/usage-report.ts';
import { wholeNumber } from '#formats/int64.ts';
import { type ConsoleRoutes, pageOf } from './console-api/call.ts';
import type { FailedRequest, PageOfRows } from './console-api/shapes.ts';

/**
 * At least as many accounts and as many strangers, which are addresses without a known key, keep their rows, and at
 * most twice as many.
 */
const MIN_SENDERS = 500;
/**
 * A flood by more senders than these would push out all others within a moment, and each of its requests would take 10 %
 * longer. So places become free only after this time, and requests of other senders are not kept until then.
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
  requestId: string;
  /** Each new id takes the place of the oldest. A row of one request needs no memory for them. */
  earlierIds: string[] | undefined;
}

/** An account or, without a known key, an address. */
interface Sender {
  account: string | null;
  /** An array, because searching a few rows costs less than a map for each account. */
  rows: Row[];
  /** Rows whose last request is not later may have been dropped. */
  completeSinceMs: number;
}

/** The last senders, by the ids of accounts or by addresses. Half of them are dropped at once. */
class Senders {
  #recent = new Map<number | string, Sender>();
  #older = this.#recent;
  #olderUntilMs: number;

  constructor(
    /** Senders whose last request is not later may have been dropped. */
    private completeSinceMs: number,
  ) {
    this.#olderUntilMs = completeSinceMs;
  }

  /** Returns a sender that is known, or else one without rows, which is not kept. */
  peek(id: number | string): Sender {
    const { completeSinceMs } = this;
    const known = this.#recent.get(id) ?? this.#older.get(id);
    return known ?? { account: null, rows: [], completeSinceMs };
  }

  /** Returns undefined if the sender has no place. */
  get(id: number | string, nowMs: number): Sender | undefined {
    const recent = this.#recent.get(id);
    if (recent !== undefined) return recent;
    const older = this.#older.get(id);
    if (this.#recent.size === MIN_SENDERS) {
      if (nowMs < this.#olderUntilMs + MIN_KEPT_MS) {
        if (older === undefined) this.completeSinceMs = nowMs;
        return older;
      }
      this.completeSinceMs = Math.max(this.completeSinceMs, this.#olderUntilMs);
      this.#olderUntilMs = nowMs;
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    const sender = older ?? this.peek(id);
    this.#recent.set(id, sender);
    return sender;
  }

  /** Returns the rows of all senders or of one account, the last first, and the time since which they are complete. */
  read(account = '') {
    const all = new Set([...this.#older.values(), ...this.#recent.values()]);
    const chosen = [...all].filter((sender) => !account || sender.account === account);
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

  /** A flood of refused requests must stay cheap, so this changes the row in place. */
  record(
    call: Omit<ObservedRequest, 'request' | 'rejection' | 'decision' | 'fault'>,
    code: ErrorCode,
    seconds: number,
  ): void {
    const { id, nowMs, address, key = call.refusedKey } = call;
    const sender = key
      ? this.accounts.get(key.accountId, nowMs)
      : // An IPv6 host can send from a whole network.
        this.strangers.get(address.includes(':') ? addressSubject(address) : address, nowMs);
    if (sender === undefined) return;
    sender.account = key?.accountName ?? null;
    const row = rowFor(sender, key?.id ?? null, call, code);
    if (row.count > 0) {
      row.earlierIds ??= [];
      row.earlierIds[(row.count - 1) % (IDS_PER_ROW - 1)] = row.requestId;
    }
    row.id = this.#recorded++;
    row.atMs = nowMs;
    row.count++;
    row.durationMs = seconds * 1000;
    row.address = address;
    row.requestId = id;
  }

  readonly lastOfKey: UsageSources['lastFailuresOf'] = ({ id, accountId }) =>
    this.accounts
      .peek(accountId)
      .rows.filter(({ key }) => key === id)
      .flatMap(({ code, operation, requestId, earlierIds = [] }) =>
        [requestId, ...earlierIds].map((each) => {
          return { atMs: requestTime(each), code, operation, requestId: each };
        }),
      )
      // The ids begin with their time.
      .sort((a, b) => (a.requestId < b.requestId ? 1 : -1))
      .slice(0, IDS_PER_ROW);
}

/** Returns the row of equal requests, or a new one without requests, which may take the place of the oldest. */
function rowFor(
  sender: Sender,
  key: number | null,
  { id, route, nowMs, address }: Pick<ObservedRequest, 'id' | 'route' | 'nowMs' | 'address'>,
  code: ErrorCode,
): Row {
  const { rows } = sender;
  // The metrics use the same name.
  const operation = route.operation ?? 'unknown';
  for (const row of rows) {
    if (row.code === code && row.key === key && row.operation === operation) return row;
  }
  if (rows.length === MAX_ROWS) {
    const oldest = rows.sort((a, b) => a.id - b.id).shift();
    sender.completeSinceMs = Math.max(sender.completeSinceMs, oldest?.atMs ?? 0);
  }
  // Written out, because a spread would allocate a second block of memory.
  const row: Row = {
    id: 0,
    firstAtMs: nowMs,
    atMs: nowMs,
    count: 0,
    key,
    operation,
    code,
    durationMs: 0,
    address,
    requestId: id,
    earlierIds: undefined,
  };
  rows.push(row);
  return row;
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
  const found = rows
    .filter((row) => row.requestId === requestId || row.earlierIds?.includes(requestId))
    .map(toJson);
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

function toJson({ firstAtMs, atMs, earlierIds, ...row }: FoundRow): FailedRequest {
  const { status } = ERRORS[row.code];
  return { ...row, status, firstAt: formatTime(firstAtMs), at: formatTime(atMs) };
}
