import {
  AlreadyExistsError,
  NotFoundError,
  OperatorError,
  StoreUnavailableError,
} from '../domain/error.ts';

/** A request of the console that fails, with one sentence for the operator. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** `explain` returns a line about an error of the store, and undefined for any other error. */
export function toConsoleError(
  error: unknown,
  explain: (error: unknown) => string | undefined,
): ConsoleError {
  if (error instanceof ConsoleError) return error;
  if (error instanceof NotFoundError) return new ConsoleError(404, error.message);
  if (error instanceof AlreadyExistsError) return new ConsoleError(409, error.message);
  if (error instanceof OperatorError) return new ConsoleError(400, error.message);
  const isAway = error instanceof StoreUnavailableError;
  const explanation = explain(isAway ? error.cause : error);
  if (isAway || explanation !== undefined) {
    const message = explanation ?? 'The store cannot be used right now. See the log.';
    return new ConsoleError(503, message, { 'Retry-After': '1' });
  }
  return new ConsoleError(500, 'This is an error of Animal Store. See the log.');
}
