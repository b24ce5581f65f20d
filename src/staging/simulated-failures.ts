import { AppError } from '../contract/errors.ts';
import type { OperationName } from '../contract/operations.ts';
import { TEST_TIME_HEADER } from '../contract/staging-headers.ts';
import type { KnownKey } from '../domain/api-key.ts';

/** The parts of a request and a response that simulations need. */
interface Call {
  readonly request: Request;
  readonly route: { readonly operation: OperationName | undefined };
}
interface Parts {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}
type Serve<C, P> = (call: C, key: KnownKey) => P | Promise<P>;

/** What a simulated failure does to the connection of its request. */
interface Connections {
  drop(request: Request): Promise<void>;
  keepOpen(request: Request, seconds: number): void;
}

/** Serves requests, except those that a key or a rejected time makes fail. */
export function simulateFailures<C extends Call, P extends Parts>(
  serve: Serve<C, P>,
  _connections: Connections,
): Serve<C, P> {
  return async (call, key) => {
    const { test } = key.caller;
    if (test?.rejectedTime !== undefined) {
      throw new AppError('invalid_parameter', `header ${TEST_TIME_HEADER}`, test.rejectedTime);
    }
    return serve(call, key);
  };
}
