import { z } from 'zod';
import { CACHE_HEADERS, SNIFFING_HEADERS } from '../../contract/headers.ts';
import type { OperatorStore } from '../../domain/backend.ts';
import type { Brownout } from '../../domain/brownout.ts';
import type { CountsReader } from '../../domain/counts-journal.ts';
import type { PageOfRows } from './shapes.ts';

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

interface ConsoleCall {
  readonly request: Request;
  /** The parameters of the path, decoded. They are empty if the path has none. */
  readonly name: string;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly read: ReturnType<typeof parameterReader>;
  /** The address of the client. */
  readonly address: string;
}

/**
 * Reads parameters of a query. One that is absent or empty is undefined, as a filter that is not set. One
 * that cannot be parsed is refused with its rule, which is by default that of a whole number.
 */
export function parameterReader(query: URLSearchParams) {
  return <T>(name: string, parse: (text: string) => T | undefined, rule?: string) => {
    const text = query.get(name);
    return text ? orRefuse(parse(text), rule ?? `${name} must be a whole number.`) : undefined;
  };
}

export function orRefuse<T>(value: T | undefined, rule: string): T {
  if (value !== undefined) return value;
  throw new ConsoleError(400, rule);
}

/** Everything that operators who are signed in can see and change. */
export interface ConsoleSources {
  /** Changes through it are audited. */
  readonly store: OperatorStore;
  /** The counts of the limiter. The console does without them while Redis is away. */
  readonly counts: CountsReader;
  readonly brownouts: readonly Brownout[];
  readonly now: () => number;
  /** A new secret of a key. */
  readonly newSecret: () => string;
  /** The history of a removed account is deleted in the background. */
  readonly onDeletionFailed: (error: unknown) => void;
}

/** Returns the body of the response, if it has one, or a whole response. */
export type Handler = (call: ConsoleCall) => unknown;

type Method = 'GET' | 'POST' | 'DELETE';

/** Handlers by path and method. A handler of GET also gets HEAD. */
export type ConsoleRoutes = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>;

/** For every response of the operator's listener that is not a file. */
export const OPERATOR_HEADERS = { ...SNIFFING_HEADERS, ...CACHE_HEADERS };

export const MAX_CONSOLE_BODY_BYTES = 16 * 1024;

/** A field of a form, without the spaces around it. */
export const text = z.string({ error: 'must be a string' }).trim();

/** Reads a small JSON object. Throws `ConsoleError` for anything else. */
export async function readBody<Shape extends z.ZodRawShape>(
  request: Request,
  shape: Shape,
): Promise<z.infer<z.ZodObject<Shape>>> {
  // The runtime responds 413 to a larger body.
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

/** The first page of the rows that were found. One more row than fits shows that another page follows. */
export function pageOf<Row extends { readonly id: string | number }>(
  found: readonly Row[],
): PageOfRows<Row> {
  const rows = found.slice(0, ROWS_PER_PAGE);
  return { rows, next: found.length > ROWS_PER_PAGE ? (rows.at(-1)?.id ?? null) : null };
}
