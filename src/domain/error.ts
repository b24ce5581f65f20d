/** The store cannot be read or written right now. `cause` is for the log. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(cause: unknown) {
    super('The store is unavailable', { cause });
  }
}

/** An idempotency key was used before, for a different pet. */
export class IdempotencyKeyReusedError extends Error {
  override readonly name = 'IdempotencyKeyReusedError';
}

/** A mistake of the operator: one line on the terminal, never sent over HTTP. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

export function writtenByNewerVersion(store: 'data file' | 'database' | 'export'): OperatorError {
  return new OperatorError(
    `A newer version of Animal Store wrote this ${store}. Use that version.`,
  );
}
