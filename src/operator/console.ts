import { type ConsoleRoutes, type Handler, json } from './console-api/route.ts';
import { SESSION_PATH, type ServiceFacts, sessionRoutes } from './console-api/session.ts';
import { ConsoleError, toConsoleError } from './console-error.ts';
import { type ConsoleAssets, consoleFiles } from './console-files.ts';
import type { OperatorToken } from './operator-token.ts';
import { isRead, requireAllowedHost, requireSameOrigin } from './request-origin.ts';
import { SignIn } from './sign-in.ts';

export interface ConsoleOptions {
  readonly token: OperatorToken;
  /** Host names in addition to `localhost`, in lower case. */
  readonly allowedHosts: ReadonlySet<string>;
  readonly assets: ConsoleAssets;
  readonly facts: ServiceFacts;
  readonly routes: ConsoleRoutes;
  /** One line about an error of the store. Undefined for any other error. */
  readonly explain: (error: unknown) => string | undefined;
  readonly onFault: (error: unknown) => void;
}

type RoutedRequest = Request & { readonly params?: Readonly<Record<string, string>> };
type Respond = (request: RoutedRequest, address: string) => Promise<Response>;

/** The responses to each path of the page, and of its API. */
export function consoleResponders(
  { token, allowedHosts, assets, facts, routes, explain, onFault }: ConsoleOptions,
  port: () => number,
  now: () => number,
) {
  /** Checks the host, and turns every thrown value into a response. */
  const guarded =
    (respond: Respond): Respond =>
    async (request, address) => {
      try {
        requireAllowedHost(request.headers, allowedHosts);
        return await respond(request, address);
      } catch (error) {
        const { status, message, headers } = toConsoleError(error, explain);
        if (status >= 500 && !(error instanceof ConsoleError)) onFault(error);
        // Somebody may be guessing.
        if (status === 429) onFault(`too many wrong tokens from ${address}`);
        return json<{ error: string }>({ error: message }, status, headers);
      }
    };

  const signIn = new SignIn(token, port, now);
  /** `methods` is undefined for a path that does not exist. */
  const responder = (methods: ConsoleRoutes[string] | undefined, route: string): Respond =>
    guarded(async (request, address) => {
      requireSameOrigin(request);
      // To sign in or out, nobody needs to be signed in. The path of the URL can differ from the route.
      const isForAnybody = route === SESSION_PATH && !isRead(request);
      const isSignedIn = isForAnybody ? () => false : signIn.require(request, address);
      const { searchParams: query } = new URL(request.url);
      // PostgreSQL takes no text with it.
      if (request.url.includes('%00')) throw new ConsoleError(400, 'A URL must not contain %00.');
      const handler = handlerOf(request, methods);
      return handler({ request, params: request.params ?? {}, query, address, isSignedIn });
    });

  const api = { ...sessionRoutes(signIn, facts, now), ...routes, '/api/*': undefined };
  return {
    files: mapValues(consoleFiles(assets), (read) => guarded(async (request) => read(request))),
    api: mapValues(new Map(Object.entries(api)), responder),
  };
}

function mapValues<K, V, T>(map: ReadonlyMap<K, V>, change: (value: V, key: K) => T): Map<K, T> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value, key)]));
}

function handlerOf(request: Request, methods: ConsoleRoutes[string] | undefined): Handler {
  if (methods === undefined) throw new ConsoleError(404, 'There is nothing at this path.');
  const method = isRead(request) ? 'GET' : request.method;
  const handler = (methods as Readonly<Record<string, Handler | undefined>>)[method];
  if (handler !== undefined) return handler;
  const allow = Object.keys(methods).flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : each));
  throw new ConsoleError(405, 'This path does not support the method.', {
    Allow: allow.join(', '),
  });
}
