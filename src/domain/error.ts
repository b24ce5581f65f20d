/** The store cannot be read or written at the moment. `cause` is for the log. */
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

/** A mistake of the operator. Its message is one line on the terminal or in the console. Callers never see it. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The operator named an account, a key or a pet that does not exist. */
export class NotFoundError extends OperatorError {
  constructor(
    message: string,
    /** Names a command that helps, so only the command line shows it. */
    readonly hint = '',
  ) {
    super(message);
  }
}

/** The operator chose a name that is taken. */
export class AlreadyExistsError extends OperatorError {}
