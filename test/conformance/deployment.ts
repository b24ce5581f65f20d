import { expect } from 'bun:test';
import type { Limits } from '#domain/plan.ts';
import { type Report, runConformance } from '../../packages/conformance/src/run.ts';
import type { SessionOptions } from '../../packages/conformance/src/session.ts';
import { startInstance } from '../support/service.ts';
import { createAccount, createKey, newSettings, openParts } from '../support/store.ts';
import { Clock } from '../support/time.ts';

export const KEY = 'key-of-a-paying-customer';
export const FREE_KEY = 'key-of-the-free-plan';
export const PLAN_KEYS = {
  pro: 'key-of-the-pro-plan',
  business: 'key-of-the-business-plan',
  enterprise: 'key-of-an-enterprise',
};
export const READ_KEY = 'key-of-a-web-page';
const ENTERPRISE_LIMITS = { perMinute: 7, perDay: 70 };

const LIMITS: Readonly<Record<string, Limits>> = {
  [KEY]: { perMinute: 10_000, perDay: 1_000_000 },
  [FREE_KEY]: { perMinute: 60, perDay: 1_000 },
  [PLAN_KEYS.pro]: { perMinute: 300, perDay: 10_000 },
  [PLAN_KEYS.business]: { perMinute: 1_000, perDay: 100_000 },
  [PLAN_KEYS.enterprise]: ENTERPRISE_LIMITS,
  [READ_KEY]: { perMinute: 60, perDay: 1_000 },
};

/** Sits in front of the service and can change requests and responses. */
export type Fault = (
  request: Request,
  service: (request: Request) => Promise<Response>,
) => Promise<Response> | Response;

export interface DeploymentOptions {
  readonly clock?: Clock;
  readonly fault?: Fault;
  /** Other limits than those of the plan, for each key. */
  readonly limits?: Readonly<Record<string, Partial<Limits>>>;
  readonly isStaging?: boolean;
  /** Pets that the store has at the start. */
  readonly petCount?: number;
}

/** The real service behind a proxy that can have a fault, and that knows its keys by their names. */
export async function startDeployment({
  clock = new Clock(),
  fault = (request, service) => service(request),
  limits,
  isStaging,
  petCount = 0,
}: DeploymentOptions = {}) {
  await using opening = new AsyncDisposableStack();
  const environment = isStaging ? 'staging' : 'production';
  const settings = await newSettings('SQLite');
  const parts = opening.use(await openParts(settings, clock, environment));
  const { store } = parts;
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => fault(request, service),
  });
  opening.defer(() => proxy.stop(true));
  const server = startInstance(parts, clock, {}, { publicUrl: proxy.url.origin });
  opening.defer(() => server.stop(1));

  const secrets = new Map<string, string>();
  for (const [name, ofPlan] of Object.entries(LIMITS)) {
    await createAccount(store, { name, limits: { ...ofPlan, ...limits?.[name] } });
    const scope = name === READ_KEY ? 'read' : 'all';
    const { secret } = await createKey(store, { accountName: name, environment, scope });
    secrets.set(name, secret);
  }
  const pet = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
  await Promise.all(Array.from({ length: petCount }, () => store.pets.createPet(pet)));

  async function service(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set('accept-encoding', 'identity');
    const authorization = headers.get('authorization');
    if (authorization !== null) {
      const known = authorization.replace(/key-of[a-z-]+/, (name) => secrets.get(name) ?? name);
      headers.set('authorization', known);
    }
    const { method } = request;
    const body = method === 'GET' ? null : await request.text();
    return fetch(server.localUrl + pathname + search, { method, headers, body });
  }

  const resources = opening.move();
  return {
    url: `${proxy.url.origin}/v1`,
    clock,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/** The limits of the Free plan take many requests, so most runs have only the other key. */
export const WITHOUT_FREE_KEY = { keys: { key: KEY } };

/** The reason of a check that needs another deployment or another key. */
const ELSEWHERE = /Only on staging|Pass the other address with --other|_KEY_(FREE|READ):/;

/** Runs the checks against a new deployment. Both share a clock, which advances only in waits. */
export async function checkDeployment(
  deployment: DeploymentOptions = {},
  options: Partial<SessionOptions> = {},
) {
  await using started = await startDeployment(deployment);
  return await check(started, options);
}

export async function check(
  { url, clock }: Pick<Deployment, 'url' | 'clock'>,
  options: Partial<SessionOptions> = {},
) {
  /** In seconds. */
  const waits: number[] = [];
  const report = await runConformance({
    baseUrl: url,
    keys: { key: KEY, free: FREE_KEY },
    enterpriseLimits: ENTERPRISE_LIMITS,
    async wait(seconds) {
      waits.push(seconds);
      clock.advance(seconds);
    },
    timeoutMs: 60_000,
    now: clock.now,
    ...options,
  });
  const idsOf = (outcome: string) =>
    report.results.filter((result) => result.outcome === outcome).map(({ id }) => id);
  const notCheckableIds = idsOf('notCheckable');
  return {
    ...report,
    waits,
    failedIds: idsOf('failed'),
    notCheckableIds,
    /** Without the checks that need another deployment or another key. */
    notCheckableHere: notCheckableIds.filter((id) => !ELSEWHERE.test(`${reasonOf(report, id)}`)),
  };
}

/** Runs the checks against a new deployment, in which they must find no fault. */
export async function checkConforming(
  ...given: Parameters<typeof checkDeployment>
): ReturnType<typeof checkDeployment> {
  const checked = await checkDeployment(...given);
  expect(checked.failedIds).toEqual([]);
  return checked;
}

/** Why a check was not possible, or its outcome. */
export function reasonOf({ results }: Report, id: string): string | undefined {
  const result = results.find((one) => one.id === id);
  return result?.outcome === 'notCheckable' ? result.reason : result?.outcome;
}
