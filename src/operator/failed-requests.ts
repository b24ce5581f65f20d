import type { Call } from '../contract/call.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { formatTime } from '../domain/time-text.ts';
import {
  type FailedRequest,
  type FailedRequestPage,
  KEPT_REQUESTS,
} from './console/console-api.ts';
import { type ConsoleRoutes, json, queryNumber } from './console-api/call.ts';

type KeptRequest = Omit<FailedRequest, 'at'> & { readonly atMs: number };

/** The last requests of one kind. */
class Ring {
  readonly kept: KeptRequest[] = [];
  #next = 0;

  add(request: KeptRequest): void {
    this.kept[this.#next++ % KEPT_REQUESTS] = request;
  }
}

/**
 * The last requests that were refused or failed, in memory: a store that is away must not hide them.
 * No text of the request is kept, so no secret can show.
 */
export class FailedRequests {
  /** By kind, so that requests without a key or over a limit do not push out all others. */
  readonly #rings = Array.from({ length: 8 }, () => new Ring());
  #count = 0;

  record(
    { id, route, nowMs, key }: Pick<Call, 'id' | 'route' | 'nowMs' | 'key'>,
    status: number,
    code: ErrorCode,
    seconds: number,
    address: string,
  ): void {
    const kind = (route.isApi ? 4 : 0) + (key === undefined ? 2 : 0) + (status === 429 ? 1 : 0);
    this.#rings[kind]?.add({
      number: this.#count++,
      atMs: nowMs,
      requestId: id,
      account: key?.accountName ?? null,
      key: key?.id ?? null,
      // As in the metrics.
      operation: route.operation ?? 'unknown',
      status,
      code,
      durationMs: seconds * 1000,
      address,
    });
  }

  newestFirst(): KeptRequest[] {
    return this.#rings.flatMap(({ kept }) => kept).sort((a, b) => b.number - a.number);
  }
}

const PAGE_SIZE = 100;
const FILTERS = ['account', 'status', 'code', 'requestId'] as const;

export function failedRequestRoutes(failed: FailedRequests): ConsoleRoutes {
  return {
    '/api/requests': {
      GET({ query }) {
        const before = queryNumber(query, 'before', 9_999_999_999);
        const wanted = FILTERS.map((name) => [name, query.get(name)] as const);
        const filters = wanted.filter(([, value]) => value);
        const found = failed
          .newestFirst()
          .filter((request) => before === 0 || request.number < before)
          .filter((request) =>
            filters.every(([name, value]) => request[name]?.toString() === value),
          );
        const page = found.slice(0, PAGE_SIZE);
        return json<FailedRequestPage>({
          requests: page.map(({ atMs, ...request }) => ({ at: formatTime(atMs), ...request })),
          next: found.length > PAGE_SIZE ? (page.at(-1)?.number ?? null) : null,
        });
      },
    },
  };
}
