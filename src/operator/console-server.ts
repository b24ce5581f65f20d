import { isIP } from 'node:net';
import type { RoutedRequest } from '../contract/call.ts';
import { ERRORS } from '../contract/errors.ts';
import { SNIFFING_HEADERS } from '../contract/headers.ts';
import {
  AlreadyExistsError,
  NotFoundError,
  OperatorError,
  StoreUnavailableError,
} from '../domain/error.ts';
import { redactSecrets } from '../domain/key-secret.ts';
import {
  PAGE_HEADERS,
  readStaticFile,
  type StaticFile,
  staticFile,
} from '../reference/static-file.ts';
import {
  ConsoleError,
  type ConsoleRoutes,
  type Handler,
  OPERATOR_HEADERS,
  parameterReader,
  readBody,
  text,
} from './console-api/call.ts';
import { CHANGE_HEADER, type SessionFacts } from './console-api/shapes.ts';
import { CONSOLE_FILES } from './console-files.ts';
import {
  createSignIn,
  type OperatorToken,
  type SignIn,
  sourceOf,
  WrongTokenError,
} from './sign-in.ts';

const SESSION_PATH = '/api/session';

export interface ConsoleOptions {
  readonly token: OperatorToken;
  /** A new random id. */
  readonly newSession: () => string;
  /** Host names in addition to `localhost`, in lower case. */
  readonly allowedHosts: ReadonlySet<string>;
  /** For every page of the console. */
  readonly facts: Omit<SessionFacts, 'errors'>;
  readonly routes: ConsoleRoutes;
  /** One line about an error of the store. Undefined for any other error. */
  readonly explain: (error: unknown) => string | undefined;
  /** By default, the message is that of an error of the console. */
  readonly onFault: (error: unknown, message?: string) => void;
  readonly onSignIn: (address: string) => void;
}

type Respond = (request: RoutedRequest, address: string) => Promise<Response>;

/** The response to each path of the page and of its API. */
export function consoleResponders(
  { token, newSession, allowedHosts, facts, routes, explain, onFault, onSignIn }: ConsoleOptions,
  port: () => number,
  now: () => number,
): Record<string, Respond> {
  const signIn = createSignIn(token, newSession, port, now);

  /** Checks the host, and turns every thrown value into a response. */
  const guarded =
    (respond: Respond): Respond =>
    async (request, address) => {
      try {
        if (!isAllowedHost(request.headers, allowedHosts))
          throw new ConsoleError(403, HOST_REFUSED);
        return await respond(request, address);
      } catch (error) {
        const { status, message, headers } = toConsoleError(error, explain);
        if (status >= 500 && !(error instanceof ConsoleError)) onFault(error);
        // One text for each source, and never a token. Guesses must not fill the disk: the log has a line for
        // the first, and each minute one that says how many followed.
        if (error instanceof WrongTokenError) {
          onFault(`wrong tokens from ${sourceOf(address)}`, 'operator sign-in failed');
        }
        return Response.json(
          { error: redactSecrets(message) },
          { status, headers: { ...OPERATOR_HEADERS, ...headers } },
        );
      }
    };

  /** Open to everybody. */
  const fileResponder = (type: string, text: string): Respond => {
    let prepared: StaticFile | undefined;
    return guarded(async (request) => {
      requireMethod(request, ['GET']);
      prepared ??= staticFile(type, text, FILE_HEADERS);
      const { status, body, headers = {} } = readStaticFile(prepared, request.headers);
      return new Response(body, { status, headers });
    });
  };

  /** `methods` is undefined for a path that does not exist. */
  const apiResponder = (route: string, methods: ConsoleRoutes[string] | undefined): Respond =>
    guarded(async (request, address) => {
      requireSameOrigin(request);
      // To sign in or out, nobody needs to be signed in. The path of the URL can differ from the route.
      const isForAnybody = route === SESSION_PATH && !isRead(request);
      if (!isForAnybody) signIn.require(request, address);
      const { searchParams: query } = new URL(request.url);
      // PostgreSQL takes no text with it.
      if (request.url.includes('%00')) throw new ConsoleError(400, 'A URL must not contain %00.');
      if (methods === undefined) throw new ConsoleError(404, 'There is nothing at this path.');
      const method = requireMethod(request, Object.keys(methods));
      const handler = (methods as Readonly<Record<string, Handler>>)[method] as Handler;
      const read = parameterReader(query);
      const call = { name: '', id: '', ...request.params, request, query, read, address };
      const body = await handler(call);
      if (body === undefined) return noContent();
      return body instanceof Response ? body : Response.json(body, { headers: OPERATOR_HEADERS });
    });

  const api = { ...sessionRoutes(signIn, facts, onSignIn), ...routes, '/api/*': undefined };
  return Object.fromEntries([
    ...Object.entries(CONSOLE_FILES).map(([path, { type, text }]) => [
      path,
      fileResponder(type, text),
    ]),
    ...Object.entries(api).map(([path, methods]) => [path, apiResponder(path, methods)]),
  ]);
}

function sessionRoutes(
  signIn: SignIn,
  facts: ConsoleOptions['facts'],
  onSignIn: ConsoleOptions['onSignIn'],
): ConsoleRoutes {
  return {
    [SESSION_PATH]: {
      async POST({ request, address }) {
        const { token } = await readBody(request, { token: text });
        const cookie = signIn.open(token, request, address);
        onSignIn(address);
        return noContent({ 'Set-Cookie': cookie });
      },
      DELETE: ({ request }) => noContent({ 'Set-Cookie': signIn.close(request) }),
      GET() {
        const statuses = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
        return { ...facts, errors: Object.fromEntries(statuses) } satisfies SessionFacts;
      },
    },
  };
}

function noContent(further: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers: { ...OPERATOR_HEADERS, ...further } });
}

const FILE_HEADERS = {
  ...PAGE_HEADERS,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  ...SNIFFING_HEADERS,
};

export const HOST_REFUSED =
  'The Host header names a host that is not allowed. Add it to OPERATOR_ALLOWED_HOSTS.';

/**
 * False for names that an attacker's DNS could point to this machine. An IP address and `localhost`
 * do not come from DNS.
 */
export function isAllowedHost(headers: Headers, allowed: ReadonlySet<string>): boolean {
  const url = URL.parse(`http://${headers.get('host')}`);
  if (url === null || url.href !== `http://${url.host}/`) return false;
  const name = url.hostname.replace(/^\[|\]$|\.$/g, '');
  return isIP(name) !== 0 || name === 'localhost' || allowed.has(name);
}

/** Refuses requests that a page of another origin makes a browser send. */
function requireSameOrigin(request: Request): void {
  const { headers } = request;
  const site = headers.get('sec-fetch-site') ?? 'none';
  const origin = headers.get('origin');
  const isSameOrigin =
    origin === null || URL.parse(origin)?.host === headers.get('host')?.toLowerCase();
  if (!['same-origin', 'none'].includes(site) || !isSameOrigin) {
    throw new ConsoleError(403, 'Requests from pages of other sites are not allowed.');
  }
  if (isRead(request) || headers.get(CHANGE_HEADER) === '1') return;
  throw new ConsoleError(403, `A change needs the header ${CHANGE_HEADER}: 1.`);
}

/** A request that changes nothing. */
export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The method whose handler responds. Throws `ConsoleError` unless the path has one. */
function requireMethod(request: Request, methods: readonly string[]): string {
  const method = isRead(request) ? 'GET' : request.method;
  if (methods.includes(method)) return method;
  const allow = methods.join(', ').replace('GET', 'GET, HEAD');
  throw new ConsoleError(405, 'This path does not support the method.', { Allow: allow });
}

function toConsoleError(error: unknown, explain: ConsoleOptions['explain']): ConsoleError {
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
