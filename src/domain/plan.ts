import { OperatorError } from './error.ts';

/** The requests that an account may send. */
export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The limits of each plan. On a plan without limits, each account has its own. */
export const PLANS = {
  free: { title: 'Free', limits: { perMinute: 60, perDay: 1_000 } },
  pro: { title: 'Pro', limits: { perMinute: 300, perDay: 10_000 } },
  business: { title: 'Business', limits: { perMinute: 1_000, perDay: 100_000 } },
  enterprise: { title: 'Enterprise', limits: undefined },
} as const satisfies Record<string, { title: string; limits: Limits | undefined }>;

export type Plan = keyof typeof PLANS;

export const PLAN_NAMES = Object.keys(PLANS) as Plan[];

/** The limits of an address without a valid key. */
export const ANONYMOUS_LIMITS: Limits = PLANS.free.limits;

const MAX_CUSTOM_LIMIT = 1_000_000_000;

export function parsePlan(text: string): Plan {
  if (Object.hasOwn(PLANS, text)) return text as Plan;
  throw new OperatorError(`The plan must be one of ${PLAN_NAMES.join(', ')}, not "${text}".`);
}

/** The limits of an account. Throws `OperatorError` if custom limits are missing or not allowed. */
export function limitsFor(
  plan: Plan,
  { perMinute, perDay }: Partial<Record<keyof Limits, number | undefined>>,
): Limits {
  const { title, limits } = PLANS[plan];
  if (limits !== undefined) {
    if (perMinute === undefined && perDay === undefined) return limits;
    throw new OperatorError(
      `The ${title} plan has fixed limits. Only Enterprise accepts a limit per minute and per day.`,
    );
  }
  if (perMinute === undefined || perDay === undefined) {
    throw new OperatorError(
      `The ${title} plan needs custom limits. Set both --per-minute and --per-day.`,
    );
  }
  return { perMinute: parseLimit(perMinute), perDay: parseLimit(perDay) };
}

/** Throws `OperatorError` for a limit that no account can have. */
export function parseLimit(value: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= MAX_CUSTOM_LIMIT) return value;
  throw new OperatorError(
    `A limit must be an integer from 1 to ${MAX_CUSTOM_LIMIT.toLocaleString('en-US')}.`,
  );
}

/** A store keeps only custom limits. Those of all other plans follow from the plan. */
export interface StoredLimits {
  readonly plan: Plan;
  readonly perMinute: number | null;
  readonly perDay: number | null;
}

export function limitsToStore(plan: Plan, limits: Limits): Omit<StoredLimits, 'plan'> {
  return PLANS[plan].limits === undefined ? limits : { perMinute: null, perDay: null };
}

export function limitsFromStore({ plan, perMinute, perDay }: StoredLimits): Limits {
  const { title, limits } = PLANS[plan];
  if (limits !== undefined) return limits;
  if (perMinute !== null && perDay !== null) return { perMinute, perDay };
  throw new Error(`An account on the ${title} plan has no stored limits`);
}
