import { OperatorError } from './error.ts';

/** A customer. Its keys share its limits. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  readonly limits: Limits;
  readonly createdAtMs: number;
  /** Null unless an operator has suspended it. */
  readonly suspendedAtMs: number | null;
  /** For operators. Callers do not see it. */
  readonly suspensionReason: string;
  /** The time that its test clock was last put to, and that clock minus the real time. 0 in production. */
  readonly clockPutToMs: number;
  readonly clockOffsetMs: number;
  /** Each reset begins with new counts. 0 in production. */
  readonly resets: number;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@-]{0,63}$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
/** Alphabets with letters that look alike. */
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

export function isAccountName(text: string): boolean {
  const isMixed = ALPHABETS.filter((alphabet) => alphabet.test(text)).length > 1;
  return NAME.test(text) && !INVISIBLE.test(text) && !isMixed && text === simplified(text);
}

/** Returns the name to store. Two names that look the same should not be two accounts. */
export function parseAccountName(text: string): string {
  const name = simplified(text);
  if (isAccountName(name)) return name;
  throw new OperatorError(
    'An account name must be 1 to 64 letters, digits, spaces or any of . _ @ -, start with a letter or a ' +
      'digit, and not mix letters of two alphabets, such as Latin and Cyrillic.',
  );
}

/** With single spaces, none around it, and plain letters instead of wide, bold or joined ones. */
function simplified(name: string): string {
  return name.normalize('NFKC').trim().replace(/ +/g, ' ');
}

const MAX_NOTE_CHARACTERS = 200;

/** The reason of a suspension, or the label of a key. */
export function parseNote(text: string): string {
  if (text.length <= MAX_NOTE_CHARACTERS && !/\p{Cc}/u.test(text)) return text;
  throw new OperatorError(
    `A label or a reason must be at most ${MAX_NOTE_CHARACTERS} characters, without control characters.`,
  );
}

const SUBJECT_PREFIX = 'account:';

/** The name that an account's requests are counted under. */
export function accountSubject({ id, resets }: Pick<Account, 'id' | 'resets'>): string {
  return resets === 0 ? `${SUBJECT_PREFIX}${id}` : `${SUBJECT_PREFIX}${id}.${resets}`;
}

export function isAccountSubject(subject: string): boolean {
  return subject.startsWith(SUBJECT_PREFIX);
}

/** The requests that an account may send. */
export interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The limits of each plan. Without limits, each account has custom ones. */
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

interface CustomLimits {
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
}

/** The limits of an account. Throws `OperatorError` if custom limits are missing or not allowed. */
export function limitsFor(plan: Plan, custom: CustomLimits): Limits {
  const { title, limits } = PLANS[plan];
  const { perMinute, perDay } = custom;
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
  throw new OperatorError(`A limit must be an integer from 1 to ${MAX_CUSTOM_LIMIT}.`);
}

/** A store keeps only custom limits. */
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
