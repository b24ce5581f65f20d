import type * as Api from '../../contract/console-api.ts';
import { PLAN_NAMES, PLANS } from '../../domain/plan.ts';
import { formatTime } from '../../domain/time-text.ts';
import type { SignIn } from '../sign-in.ts';
import { type ConsoleRoutes, json, noContent, readBody, text } from './call.ts';

export const SESSION_PATH = '/api/session';

/** Facts about the service, for every view of the console. */
export interface ServiceFacts {
  readonly version: string;
  readonly environment: Api.Session['environment'];
  readonly startedAtMs: number;
  readonly store: string;
  readonly limiter: string;
  readonly instances: number;
  readonly publicUrl: () => string;
}

export function sessionRoutes(
  signIn: SignIn,
  { startedAtMs, publicUrl, ...facts }: ServiceFacts,
): ConsoleRoutes {
  return {
    [SESSION_PATH]: {
      async POST({ request, address }) {
        const { token } = await readBody(request, { token: text });
        return noContent({ 'Set-Cookie': signIn.open(token, request, address) });
      },
      DELETE: ({ request }) => noContent({ 'Set-Cookie': signIn.close(request) }),
      GET: () =>
        json<Api.Session>({
          ...facts,
          startedAt: formatTime(startedAtMs),
          publicUrl: publicUrl(),
          plans: PLAN_NAMES.map((name) => {
            const { title, limits } = PLANS[name];
            return { name, title, perMinute: null, perDay: null, ...limits };
          }),
        }),
    },
  };
}
