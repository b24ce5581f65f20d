import { OperatorError } from '#domain/error.ts';

/** The operator who sends a request. */
export interface SignedIn {
  readonly name: string;
  /** A viewer sees everything that an editor sees, and changes nothing. */
  readonly role: 'editor' | 'viewer';
}

/** A person with a token for the console. */
export interface Operator extends SignedIn {
  readonly createdAtMs: number;
}

/** The operators that have their own tokens. Each change is audited. */
export interface OperatorRegistry {
  /** Throws `OperatorError` if the operator exists. */
  createOperator(operator: SignedIn, token: string): Promise<void>;
  /** Returns all operators in the order of their names. */
  listOperators(): Promise<Operator[]>;
  /** Removes an operator, who can be created again with another token. Throws `OperatorError` if there is none. */
  revokeOperator(name: string): Promise<void>;
  /** Finds an operator by the SHA-256 of a token. */
  findOperator(hash: Uint8Array): Promise<SignedIn | undefined>;
  /** Adds a sign-in to the audit. */
  recordSignIn(name: string, address: string): Promise<void>;
}

/**
 * `token` and `start` are the operators whose tokens are not in the store: the token of `OPERATOR_TOKEN`, and the one
 * that a start prints.
 */
const NAME = /^(?!(token|start)$)[a-z][a-z0-9._@-]{0,63}$/;

export function parseOperatorName(text: string): string {
  if (NAME.test(text)) return text;
  throw new OperatorError(
    'The name of an operator must be 1 to 64 lowercase letters, digits or any of . _ @ -, start with a letter, ' +
      'and not be "token" or "start".',
  );
}
