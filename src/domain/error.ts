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
export class NotFoundError extends OperatorError {}

/** The operator chose a name that is taken. */
export class AlreadyExistsError extends OperatorError {}

/** A command must not create a store: the service would never see what it wrote there. */
export function noStore(where: string, advice = 'Name'): OperatorError {
  return new OperatorError(
    `There is no store ${where}. ${advice} the store of the service with --database or ` +
      'DATABASE_URL. To create a new store, start the service.',
  );
}

export function writtenByOlderVersion(store: string): OperatorError {
  return new OperatorError(
    `An older version of Animal Store wrote ${store}. Start the service of this version once, ` +
      'which upgrades the store. Nothing was changed.',
  );
}

export function writtenByNewerVersion(store: string): OperatorError {
  return new OperatorError(`A newer version of Animal Store wrote ${store}. Use that version.`);
}
