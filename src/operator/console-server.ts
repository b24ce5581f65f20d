import { isIP } from 'node:net';
import { ERRORS } from '#contract/errors.ts';
import type { RoutedRequest } from '#contract/exchange.ts';
import type { OperatorStore } from '#domain/backend.ts';
import {
  AlreadyExistsError,
  NotFoundError,
  OperatorError,
  StoreUnavailableError,
} from '#domain/error.ts';
import { redactSecrets } from '#domain/key-secret.ts';
import type { SignedIn } from '#domain/operator/operators.ts';
import icon from '#reference/icon.svg' with { type: 'text' };
import {
  PAGE_HEADERS,
  readStaticFile,
  type StaticFile,
  staticFile,
} from '#reference/static-file.ts';
import style from '../../packages/console/generated/console.css' with { type: 'text' };
import script from '../../packages/console/generated/console.js' with { type: 'text' };
import {
  ConsoleError,
  type ConsoleRoutes,
  type Handler,
  parameterReader,
  readBody,
  text,
} from './console-api/call.ts';
import { CHANGE_HEADER, type SessionFacts } from './console-api/shapes.ts';
import { SignIn, type SignInOptions } from './sign-in.ts';

const SESSION_PATH = '/api/session';
/** The only POST of an operator that changes nothing. */
const FIND_KEY_PATH = '/api/keys/find';
/** The operator of a request that needs no session. */
const NOBODY: SignedIn = { name: '', role: 'viewer' };
const VIEWER_REFUSED = 'You are signed in as a viewer, who cannot change anything.';

export interface ConsoleOptions extends Omit<SignInOptions, 'port' | 'now'> {
  /** Host names in addition to `localhost`, in lower case. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Shown by every page of the console. */
  readonly facts: Omit<SessionFacts, 'errors' | 'operator'>;
  readonly routes: ConsoleRoutes;
  /** Returns the store, which records changes under the name of this operator. */
  readonly storeOf: (operator: SignedIn) => OperatorStore;
  /** Explains an error of the store in one line. Returns undefined for any other error. */
  readonly explain: (error: unknown) => string | undefined;
  readonly onFault: (error: unknown) => void;
  readonly onSignIn: (operator: SignedIn, address: string) => void;
}

type Respond = (request: RoutedRequest, address: string) => Promise<Response>;

/** The responder of each path of the page and of its API. */
export function consoleResponders(
  options: ConsoleOptions,
  listener: Pick<SignInOptions, 'port' | 'now'>,
) {
  const signIn = new SignIn({ ...options, ...listener });
  const methodsOf = new Map<string, Record<string, Handler>>([['/api/*', {}]]);
  const api = { ...sessionRoutes(signIn, options), ...options.routes };
  for (const [route, handler] of Object.entries(api)) {
    const [method = '', path = ''] = route.split(' ');
    methodsOf.getOrInsert(path, {})[method] = handler;
  }
  const responders: Record<string, Respond> = {};
  for (const [path, { type, text }] of Object.entries(CONSOLE_FILES)) {
    responders[path] = guarded(options, fileResponder(type, text));
  }
  for (const [path, methods] of methodsOf) {
    responders[path] = guarded(options, apiResponder(options, signIn, path, methods));
  }
  return responders;
}

/** Checks the host before anything else, and turns every thrown value into a response. */
function guarded(options: ConsoleOptions, respond: Respond): Respond {
  const { allowedHosts, explain, onFault } = options;
  return async (request, address) => {
    try {
      if (isAllowedHost(request.headers, allowedHosts)) return await respond(request, address);
      throw new ConsoleError(403, HOST_REFUSED);
    } catch (error) {
      const { status, message, headers } = toConsoleError(error, explain);
      if (status >= 500 && !(error instanceof ConsoleError)) onFault(error);
      return Response.json({ error: redactSecrets(message) }, { status, headers });
    }
  };
}

function apiResponder(
  { storeOf }: ConsoleOptions,
  signIn: SignIn,
  path: string,
  methods: Readonly<Record<string, Handler>>,
): Respond {
  return async (request, address) => {
    requireSameOrigin(request);
    // Signing in and out needs no session. The path of the request is not compared, because it can be written
    // differently from that of the route.
    const isSignIn = path === SESSION_PATH && !isRead(request);
    const operator = isSignIn ? NOBODY : await signIn.require(request, address);
    const isChange = !isSignIn && !isRead(request) && path !== FIND_KEY_PATH;
    if (isChange && operator.role !== 'editor') throw new ConsoleError(403, VIEWER_REFUSED);
    const { searchParams: query } = new URL(request.url);
    // PostgreSQL accepts no text that contains this character.
    if (request.url.includes('%00')) throw new ConsoleError(400, 'A URL must not contain %00.');
    const handler = methods[requireMethod(request, Object.keys(methods))] as Handler;
    const read = parameterReader(query);
    const store = storeOf(operator);
    const found = { name: '', id: '', ...request.params };
    const body = await handler({ ...found, request, query, read, address, operator, store });
    if (body === undefined) return noContent();
    return body instanceof Response ? body : Response.json(body);
  };
}

function sessionRoutes(signIn: SignIn, { facts, onSignIn }: ConsoleOptions): ConsoleRoutes {
  return {
    async [`POST ${SESSION_PATH}`]({ request, address }) {
      const { token } = await readBody(request, { token: text });
      const { operator, cookie } = await signIn.open(token, request, address);
      onSignIn(operator, address);
      return noContent({ 'Set-Cookie': cookie });
    },
    [`DELETE ${SESSION_PATH}`]: ({ request }) => noContent({ 'Set-Cookie': signIn.close(request) }),
    [`GET ${SESSION_PATH}`]({ operator }) {
      const statuses = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
      return { ...facts, operator, errors: Object.fromEntries(statuses) } satisfies SessionFacts;
    },
  };
}

function noContent(headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 204, headers });
}

/** Files are served without a session. They are compressed when somebody asks for them, not at the start. */
function fileResponder(type: string, text: string): Respond {
  let prepared: StaticFile | undefined;
  return async (request) => {
    requireMethod(request, ['GET']);
    prepared ??= staticFile(type, text, FILE_HEADERS);
    const { status, body, headers = {} } = readStaticFile(prepared, request.headers);
    return new Response(body, { status, headers });
  };
}

/** The links are relative, so that the console also works behind a proxy that adds a prefix to its paths. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Animal Store console</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="console.css">
<script type="module" src="console.js"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The console needs JavaScript. The <code>animal-store</code> command does the same without it.</p></noscript>
</body>
</html>
`;

/** The files of the console by their paths. `npm run build:pages` bundles them. */
export const CONSOLE_FILES = {
  '/': { type: 'text/html', text: PAGE },
  '/console.js': { type: 'text/javascript', text: script },
  '/console.css': { type: 'text/css', text: style },
  '/icon.svg': { type: 'image/svg+xml', text: icon },
};

const FILE_HEADERS = {
  ...PAGE_HEADERS,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export const HOST_REFUSED =
  'The Host header names a host that is not allowed. Add it to OPERATOR_ALLOWED_HOSTS.';

/**
 * Protects against DNS rebinding: an attacker can let the name of a web site point to this machine, so that the
 * browser takes this listener for a part of that site. An IP address and `localhost` do not come from DNS.
 */
export function isAllowedHost(headers: Headers, allowed: ReadonlySet<string>): boolean {
  const url = URL.parse(`http://${headers.get('host')}`);
  if (url === null || url.href !== `http://${url.host}/`) return false;
  const name = url.hostname.replace(/^\[|\]$|\.$/g, '');
  return isIP(name) !== 0 || name === 'localhost' || allowed.has(name);
}

/** Refuses requests that a page of another origin lets the browser send. */
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

/** The method whose handler responds. Throws `ConsoleError` if the path does not have it. */
function requireMethod(request: Request, methods: readonly string[]): string {
  const method = isRead(request) ? 'GET' : request.method;
  if (methods.includes(method)) return method;
  if (methods.length === 0) throw new ConsoleError(404, 'There is nothing at this path.');
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
  return new ConsoleError(500, 'This is a bug in Animal Store. See the log.');
}
