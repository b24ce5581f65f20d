import { HOOK_NAMES } from './hooks.ts';
import { isInt64 } from './int64.ts';
import { type NewPet, PET_STATUSES } from './pet.ts';

// biome-ignore lint/suspicious/noExplicitAny: Programs without types pass values of any type.
type Rule = readonly [rule: string, isValid: (value: any) => boolean];

const INT64: Rule = [
  'an int64, as a bigint or a safe integer',
  (value) => Number.isSafeInteger(value) || (typeof value === 'bigint' && isInt64(value)),
];

const PAGE_SIZE: Rule = ['a whole number from 1 to 100', (value) => isWhole(value, 1, 100)];

const FUNCTION: Rule = ['a function', (value) => typeof value === 'function'];

const COUNT: Rule = ['a whole number, 0 or more', (value) => isWhole(value, 0)];

// More requests in flight can cause so many 429s at once that the service bans the key.
const CONCURRENCY: Rule = ['a whole number from 1 to 200', (value) => isWhole(value, 1, 200)];

/** What each argument must be. An argument has the same rule wherever it occurs. */
const RULES = {
  baseUrl: [
    'an http or https URL that ends in /v1, without user, password, query and fragment',
    isBaseUrl,
  ],
  apiKey: [
    'a key that the service issued: printable ASCII characters without spaces',
    (value) => isVisible(value),
  ],
  pace: ['true or false', (value) => typeof value === 'boolean'],
  timeoutSeconds: ['a number above 0', (value) => typeof value === 'number' && value > 0],
  maxRetries: COUNT,
  maxRetryWaitSeconds: ['a number, 0 or more', (value) => typeof value === 'number' && value >= 0],
  maxConcurrentRequests: CONCURRENCY,
  headers: ['HTTP headers other than Authorization, Content-Type and Idempotency-Key', areHeaders],
  fetch: FUNCTION,
  hooks: [
    'an object with functions named onRequest, onResponse, onFailure or onWait',
    (value) =>
      isObject(value) &&
      Object.keys(value).every((name) => HOOK_NAMES.some((known) => known === name)) &&
      HOOK_NAMES.every((name) => value[name] === undefined || FUNCTION[1](value[name])),
  ],
  signal: [
    'an AbortSignal',
    (value) => typeof value?.aborted === 'boolean' && FUNCTION[1](value.addEventListener),
  ],
  idempotencyKey: [
    '1 to 255 printable ASCII characters without spaces',
    (value) => isVisible(value, 255),
  ],
  pets: [
    'an iterable or an async iterable',
    (value) => isObject(value) && (Symbol.asyncIterator in value || Symbol.iterator in value),
  ],
  batch: ['1 to 200 printable ASCII characters without spaces', (value) => isVisible(value, 200)],
  from: COUNT,
  concurrency: CONCURRENCY,
  limit: PAGE_SIZE,
  pageSize: PAGE_SIZE,
  after: INT64,
  petId: INT64,
  categoryId: INT64,
  status: ['available, pending or sold', (value) => PET_STATUSES.includes(value)],
  name: [
    '1 to 255 characters, not only white space, without control characters and unpaired surrogates',
    isName,
  ],
} satisfies Record<string, Rule>;

export type ArgumentName = keyof typeof RULES;

const CALL_OPTIONS: readonly ArgumentName[] = [
  'signal',
  'timeoutSeconds',
  'maxRetries',
  'maxRetryWaitSeconds',
  'headers',
];

/** Throws `TypeError` for an invalid option of a call, or one that the call does not have. */
export function checkCallOptions(options: object, ...names: readonly ArgumentName[]): void {
  checkOptions(options, [...names, ...CALL_OPTIONS]);
}

/** Throws `TypeError` for an invalid option, or one that is not in `names`. */
export function checkOptions(options: object, names: readonly ArgumentName[]): void {
  if (!isObject(options)) throw new TypeError('The options must be an object.');
  for (const name of Object.keys(options)) {
    if (names.some((known) => known === name)) continue;
    throw new TypeError(`"${name}" is not an option. The options are ${names.join(', ')}.`);
  }
  for (const name of names) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined) checkArgument(name, value);
  }
}

/** Throws `TypeError` for a pet that the service would refuse. */
export function checkNewPet(pet: NewPet): void {
  if (!isObject(pet)) throw new TypeError('The pet must be an object with name and categoryId.');
  checkArgument('name', pet.name);
  checkArgument('categoryId', pet.categoryId);
  if (pet.status !== undefined) checkArgument('status', pet.status);
}

/** Throws `TypeError` if the value breaks the rule of the argument. */
export function checkArgument(name: ArgumentName, value: unknown): void {
  const [rule, isValid]: Rule = RULES[name];
  if (!isValid(value)) throw new TypeError(`${name} must be ${rule}.`);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isVisible(value: string, maxLength = Infinity): boolean {
  return isString(value) && /^[\x21-\x7e]+$/.test(value) && value.length <= maxLength;
}

function isWhole(value: number, minimum: number, maximum = Infinity): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function isName(value: string): boolean {
  return (
    isString(value) &&
    [...value].length <= 255 &&
    /^[^\p{Cc}\p{Cs}]+$/u.test(value) &&
    /\P{Z}/u.test(value)
  );
}

function isBaseUrl(value: string | URL): boolean {
  try {
    const { href, origin, pathname } = new URL(value);
    // The origin has neither user nor password.
    return href === origin + pathname && /^https?:/.test(href) && /\/v1\/*$/.test(pathname);
  } catch {
    return false;
  }
}

function areHeaders(value: RequestInit['headers']): boolean {
  try {
    const headers = new Headers(value);
    return !['authorization', 'content-type', 'idempotency-key'].some((name) => headers.has(name));
  } catch {
    return false;
  }
}
