import type { ErrorCode } from '#contract/errors.ts';
import type { ObservedRequest } from '#contract/exchange.ts';
import { formatTime } from '#domain/time-text.ts';
import { wholeNumber } from '#formats/int64.ts';
import { type ConsoleRoutes, pageOf } from './console-api/call.ts';
import { type FailedRequest, KEPT_REQUESTS, type PageOfRows } from './console-api/shapes.ts';

interface KeptRequest extends Omit<FailedRequest, 'at'> {
  readonly atMs: number;
}

/**
 * The last requests that were refused or failed. They are kept in memory, so that operators can see them while the
 * store is away. Nothing that the caller wrote is kept, so no secret can appear in the console.
 */
export class FailedRequests {
  /** Kept by kind, so that a flood of requests without a key or over a limit does not push out all others. */
  readonly #kinds = Array.from({ length: 8 }, (): KeptRequest[] => []);
  readonly #added = this.#kinds.map(() => 0);
  #count = 0;

  record(
    {
      id,
      route,
      nowMs,
      key: accepted,
      refusedKey,
      address,
    }: Omit<ObservedRequest, 'request' | 'decision' | 'fault'>,
    status: number,
    code: ErrorCode,
    seconds: number,
  ): void {
    const key = accepted ?? refusedKey;
    const kind = (route.isApi ? 4 : 0) + (key ? 2 : 0) + (status === 429 ? 1 : 0);
    const kept = this.#kinds[kind] ?? [];
    const added = this.#added[kind] ?? 0;
    this.#added[kind] = added + 1;
    // Once there are enough, each request takes the place of the oldest. Moving the others is slow during a flood.
    kept[added % KEPT_REQUESTS] = {
      id: this.#count++,
      atMs: nowMs,
      requestId: id,
      account: key?.accountName ?? null,
      key: key?.id ?? null,
      // The metrics use the same name.
      operation: route.operation ?? 'unknown',
      status,
      code,
      durationMs: seconds * 1000,
      address,
    };
  }

  newestFirst() {
    return this.#kinds.flat().sort((a, b) => b.id - a.id);
  }
}

const FILTERS = ['account', 'status', 'code', 'requestId'] as const;

export function failedRequestRoutes(failed: FailedRequests): ConsoleRoutes {
  return {
    '/api/requests': {
      GET({ query, read }): PageOfRows<FailedRequest> {
        const before = read('cursor', wholeNumber) ?? Infinity;
        const filters = FILTERS.filter((name) => query.get(name));
        const found = failed
          .newestFirst()
          .filter(({ id }) => id < before)
          .filter((each) => filters.every((name) => String(each[name]) === query.get(name)));
        const { rows, next } = pageOf(found);
        return { rows: rows.map(({ atMs, ...row }) => ({ ...row, at: formatTime(atMs) })), next };
      },
    },
  };
}
