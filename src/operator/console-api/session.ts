import type * as Api from '../../contract/console-api.ts';
import { PLAN_NAMES, PLANS } from '../../domain/plan.ts';
import type { SignIn } from '../sign-in.ts';
import { type ConsoleRoutes, json, noContent, readBody, text } from './call.ts';

export const SESSION_PATH = '/api/session';

/** For every page of the console. */
export type ServiceFacts = Omit<Api.Session, 'plans'>;

export function sessionRoutes(signIn: SignIn, facts: ServiceFacts): ConsoleRoutes {
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
          plans: PLAN_NAMES.map((name) => {
            const { title, limits } = PLANS[name];
            return { name, title, perMinute: null, perDay: null, ...limits };
          }),
        }),
    },
  };
}
