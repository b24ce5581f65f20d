import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey } from '../domain/idempotency.ts';
import { HOOK_NAMES } from './hooks.ts';

/** More requests in flight can cause so many 429s at once that the service bans the key. */
const MAX_CONCURRENT_REQUESTS = 200;

/** The client sets these headers. */
const RESERVED_HEADERS = ['Authorization', 'Content-Type', 'Idempotency-Key'];

// biome-ignore lint/suspicious/noExplicitAny: A rule is for values that have any type at run time.
type Rule = readonly [rule: string, isValid: (value: any) => boolean];

/** What each argument must be. An argument has the same rule wherever it occurs. */
const RULES = {
  baseUrl: [
    'must be a string or a URL',
    (value) => typeof value === 'string' || value instanceof URL,
  ],
  apiKey: [
    'must be a key that the service issued: printable ASCII without spaces',
    (value) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value),
  ],
  pace: ['must be true or false', (value) => typeof value === 'boolean'],
  timeoutSeconds: ['must be a number above 0', (value) => isNumber(value) && value > 0],
  maxRetries: ['must be a whole number, 0 or more', (value) => isWhole(value, 0, Infinity)],
  maxRetryWaitSeconds: ['must be a number, 0 or more', (value) => isNumber(value) && value >= 0],
  maxConcurrentRequests: [
    `must be a whole number from 1 to ${MAX_CONCURRENT_REQUESTS}`,
    (value) => isWhole(value, 1, MAX_CONCURRENT_REQUESTS),
  ],
  headers: [`must be valid HTTP headers other than ${RESERVED_HEADERS.join(', ')}`, areHeaders],
  fetch: ['must be a function', isFunction],
  hooks: [
    'must be an object whose members are functions',
    (value) => isObject(value) && HOOK_NAMES.every((name) => isOptional(value[name], isFunction)),
  ],
  signal: [
    'must be an AbortSignal',
    (value) => typeof value?.aborted === 'boolean' && isFunction(value.addEventListener),
  ],
  idempotencyKey: [
    IDEMPOTENCY_KEY_RULE,
    (value) => typeof value === 'string' && isIdempotencyKey(value),
  ],
} satisfies Record<string, Rule>;

type ArgumentName = keyof typeof RULES;

/** The options that every call takes. */
export const CALL_OPTIONS = [
  ...['signal', 'timeoutSeconds', 'maxRetries', 'maxRetryWaitSeconds', 'headers'],
] as ArgumentName[];

/** Throws `TypeError` for an invalid option, or one that is not in `names`. */
export function checkOptions(options: object, names: readonly ArgumentName[]): void {
  if (!isObject(options)) throw new TypeError('The options must be an object.');
  for (const name of Object.keys(options)) {
    if (names.includes(name as ArgumentName)) continue;
    throw new TypeError(`There is no option ${name}. The options are ${names.join(', ')}.`);
  }
  for (const name of names) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined) checkArgument(name, value);
  }
}

/** Throws `TypeError` if the value breaks the rule of the argument. */
export function checkArgument(name: ArgumentName, value: unknown): void {
  const [rule, isValid]: Rule = RULES[name];
  if (!isValid(value)) throw new TypeError(`${name} ${rule}.`);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isOptional(value: unknown, isValid: (value: unknown) => boolean): boolean {
  return value === undefined || isValid(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isWhole(value: number, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function areHeaders(value: RequestInit['headers']): boolean {
  try {
    const headers = new Headers(value);
    return !RESERVED_HEADERS.some((name) => headers.has(name));
  } catch {
    return false;
  }
}
