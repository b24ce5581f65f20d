import { CACHE_HEADERS, SNIFFING_HEADERS } from '../../contract/headers.ts';

interface ConsoleCall {
  readonly request: Request;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The address of the client. */
  readonly address: string;
  /** False once the operator has signed out, or the session has ended. */
  readonly isSignedIn: () => boolean;
}

export type Handler = (call: ConsoleCall) => Response | Promise<Response>;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Handlers by path and method. A handler of GET also gets HEAD. */
export type ConsoleRoutes = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>;

const HEADERS = { ...SNIFFING_HEADERS, ...CACHE_HEADERS };

/** `Body` is a type of the API of the console. */
export function json<Body = never>(
  value: NoInfer<Body>,
  status = 200,
  further: Readonly<Record<string, string>> = {},
): Response {
  const headers = { ...HEADERS, 'Content-Type': 'application/json', ...further };
  return new Response(JSON.stringify(value), { status, headers });
}

export function noContent(further: Readonly<Record<string, string>>): Response {
  return new Response(null, { status: 204, headers: { ...HEADERS, ...further } });
}
