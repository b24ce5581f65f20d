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

/** A mistake of the operator: one line on the terminal or in the console, never sent to callers. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The operator named an account, a key or a pet that does not exist. */
export class NotFoundError extends OperatorError {
  /** Only for the command line. */
  readonly hint: string;

  constructor(message: string, hint = '') {
    super(message);
    this.hint = hint;
  }
}

/** The operator chose a name that is taken. */
export class AlreadyExistsError extends OperatorError {}
