import { setTimeout } from 'node:timers/promises';
import { AppError } from '../contract/errors.ts';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.ts';
import { TEST_TIME_HEADER } from '../contract/staging.ts';
import type { KnownKey } from '../domain/api-key.ts';
import { StoreUnavailableError } from '../domain/error.ts';
import { seededRandom } from '../domain/seeded-random.ts';
import type { Simulation } from '../domain/staging.ts';

/** The parts of a request and a response that simulations need. */
interface Call {
  readonly request: Request;
  readonly route: { readonly operation: OperationName | undefined };
  readonly timeMs: number;
}
interface Parts {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}
type Lost = { readonly status: number; readonly body: ReadableStream };
type Serve<C, P> = (call: C, key: KnownKey) => P | Promise<P>;

interface Connections {
  keepOpen(request: Request, seconds: number): void;
}

/** Makes requests fail as their keys say. The limiter and the key records simulate the other errors. */
export class SimulatedFailures {
  /** For each key, where its random failures are. They begin again when the service starts. */
  readonly #randoms = new Map<number, () => number>();

  simulate<C extends Call, P extends Parts>(
    serve: Serve<C, P>,
    connections: Connections,
  ): Serve<C, P | Lost> {
    return async (call, key) => {
      const { request, route } = call;
      const { rejectedTime, simulation } = key.caller.test ?? {};
      if (rejectedTime !== undefined) {
        throw new AppError('invalid_parameter', `header ${TEST_TIME_HEADER}`, rejectedTime);
      }
      const failure =
        simulation?.kind === 'flaky'
          ? flakyFailure(this.#random(key.key.id), simulation.percent, route.operation)
          : simulation;
      switch (failure?.kind) {
        case 'service_unavailable':
          throw unavailable();
        case 'internal_error':
          throw new Error('The key simulates an internal error');
        case 'operation_removed': {
          const removedAt = route.operation && removalDate(route.operation);
          if (removedAt === undefined) break;
          return serve({ ...call, timeMs: removedAt.getTime() }, key);
        }
        case 'slow':
          connections.keepOpen(request, failure.seconds);
          await waitFor(failure.seconds, request.signal);
          break;
        case 'drop':
          return lost(503);
      }
      const parts = await serve(call, key);
      // A retry with the same Idempotency-Key commits nothing, and gets its response.
      const isCommit = parts.status === 201 && parts.headers?.['Idempotent-Replayed'] === undefined;
      return failure?.kind === 'drop-after-commit' && isCommit ? lost(parts.status) : parts;
    };
  }

  #random(keyId: number): () => number {
    const random = this.#randoms.get(keyId) ?? seededRandom(keyId);
    this.#randoms.set(keyId, random);
    return random;
  }
}

/** The runtime closes the connection of a response whose body fails at once, before it sends anything. */
function lost(status: number): Lost {
  const body = new ReadableStream({ start: (controller) => controller.error() });
  return { status, body };
}

/** Undefined for an operation that stays. */
function removalDate(name: OperationName): Date | undefined {
  const { deprecation }: Operation = OPERATIONS[name];
  return deprecation?.removedAt;
}

/** One number decides all, so that the sequence of failures does not depend on the operations. */
function flakyFailure(
  random: () => number,
  percent: number,
  operation: OperationName | undefined,
): Simulation | undefined {
  const share = random() / (percent / 100);
  if (share >= 1) return undefined;
  if (share < 1 / 2) return { kind: 'service_unavailable' };
  return { kind: operation === 'createPet' && share < 3 / 4 ? 'drop-after-commit' : 'drop' };
}

/** Shorter if the client leaves: it must not keep others out for a minute. */
async function waitFor(seconds: number, signal: AbortSignal): Promise<void> {
  await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
}

function unavailable(): StoreUnavailableError {
  return new StoreUnavailableError(new Error('The key simulates a failure'));
}
