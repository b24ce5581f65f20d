import { z } from 'zod';
import type { OperatorStore } from '#domain/backend.ts';
import type { Brownout } from '#domain/brownout.ts';
import type { CountsReader } from '#domain/counts-journal.ts';
import type { SignedIn } from '#domain/operator/operators.ts';

/** A request of the console that fails, with one sentence for the operator. */
export class ConsoleError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

interface ConsoleCall {
  readonly request: Request;
  /** The parameters of the path, decoded. They are empty if the path has none. */
  readonly name: string;
  readonly id: string;
  readonly query: URLSearchParams;
  /**
   * Reads a parameter of the query. An absent or empty parameter is undefined, which means that a filter is not set.
   * If `parse` returns undefined, the request is refused with the rule. Without a rule, the message says that the
   * parameter must be a whole number.
   */
  read<T>(name: string, parse: (text: string) => T | undefined, rule?: string): T | undefined;
  /** The address of the client. */
  readonly address: string;
  readonly operator: SignedIn;
  /** The store, which records changes under the name of the operator. */
  readonly store: OperatorStore;
}

export function parameterReader(query: URLSearchParams): ConsoleCall['read'] {
  return (name, parse, rule = `${name} must be a whole number.`) => {
    const text = query.get(name);
    return text ? orRefuse(parse(text), rule) : undefined;
  };
}

export function orRefuse<T>(value: T | undefined, rule: string): T {
  if (value !== undefined) return value;
  throw new ConsoleError(400, rule);
}

/** Everything that a signed-in operator can see and change. */
export interface ConsoleSources {
  /** For reading only. */
  readonly store: OperatorStore;
  /** The counts of the limiter. While Redis is away, the console works without them. */
  readonly counts: CountsReader;
  readonly brownouts: readonly Brownout[];
  readonly now: () => number;
  /** Returns the secret of a new key. */
  readonly newSecret: () => string;
  /** Called when the usage history of a removed account, which is deleted in the background, cannot be deleted. */
  readonly onDeletionFailed: (error: unknown) => void;
}

/** Returns the body of the response, a whole response, or undefined for a response without a body. */
export type Handler = (call: ConsoleCall) => unknown;

/** Handlers by method and path, such as "GET /api/pets". A handler for GET also responds to HEAD. */
export type ConsoleRoutes = Readonly<Record<string, Handler>>;

/** A field of a form, without the spaces around it. */
export const text = z.string({ error: 'must be a string' }).trim();

/** Reads a small JSON object. Throws `ConsoleError` for anything else. */
export async function readBody<Shape extends z.ZodRawShape>(request: Request, shape: Shape) {
  // The runtime has already refused a larger body with 413.
  const body: unknown = await request.json().catch(() => {
    throw new ConsoleError(400, 'The body is not valid JSON.');
  });
  const schema = z.object(shape, { error: 'must be an object' });
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  throw new ConsoleError(400, `${path.join('.') || 'The body'} ${message}.`);
}

export const ROWS_PER_PAGE = 50;

/** The first page of the rows found. To know whether another page follows, callers look for one more row than fits. */
export function pageOf<Row extends { readonly id: string | number }>(found: readonly Row[]) {
  const rows = found.slice(0, ROWS_PER_PAGE);
  return { rows, next: found.length > ROWS_PER_PAGE ? (rows.at(-1)?.id ?? null) : null };
}

/** The present names of accounts, by their ids. They may differ from the names at the time of a change. */
export async function namesOf({ accounts }: OperatorStore, ids: Iterable<number>) {
  const found = await accounts.getAccounts([...new Set(ids)]);
  return new Map(found.map(({ id, name }) => [id, name]));
}
