import { BAN_RULES } from '#domain/ban.ts';
import { HOUR_SECONDS, MINUTE_SECONDS } from '#domain/durations.ts';
import { PLANS } from '#domain/plan.ts';
import { API_PREFIX, MAX_BODY_BYTES } from './api.ts';
import { PAGE_SIZE } from './parameters.ts';

export const API_TITLE = 'Animal Store API';
export const API_SUMMARY = 'A store of pets for sale, as JSON over HTTP.';

/** The command that an operator types where the service was started. */
export const PROGRAM = Bun.isStandaloneExecutable ? 'animal-store' : 'npx --no animal-store';

const BODY_KIBIBYTES = MAX_BODY_BYTES / 1024;

/** The rules of the whole API as paragraphs with `code`. The OpenAPI document and the pages contain them. */
export const API_TEXTS = {
  keys: 'Every request needs an API key, sent as `Authorization: Bearer <API key>`.',
  bodies:
    `Bodies are JSON in UTF-8, at most ${BODY_KIBIBYTES} KiB, sent with ` +
    '`Content-Type: application/json`.',
  ids:
    'Ids are 64-bit integers. A JSON parser that stores numbers as doubles rounds ids ' +
    'beyond 2^53.',
  pages:
    `A page has ${PAGE_SIZE.default} pets by default and up to ${PAGE_SIZE.maximum} with \`limit\`. ` +
    'While more pets follow, the `Link` header has the URL of the next page, with `rel="next"`.',
  counting: [
    'Requests count against the account, across all its keys.',
    'Every request counts, except those refused with 429, CORS preflights, and those that get a ' +
      '503 before their key is checked.',
    'A request counts against both the minute and the day, or against neither.',
    'The minute starts at a different second for each account. The day starts at midnight UTC.',
    'Requests without a valid key count against their IP address, with the limits of the ' +
      `${PLANS.free.title} plan.`,
  ],
  refusals:
    'A request beyond a limit gets 429 with `rate_limit_minute` or `rate_limit_day`. Wait for the ' +
    'number of seconds in `Retry-After`, then send the request again. If it is refused again, use ' +
    'exponential backoff with jitter: wait a random part of one second, then of two, of four, and ' +
    'so on.',
  bans: [
    'A key that keeps sending while it is refused gets strikes: one for each refusal after the ' +
      `first ${BAN_RULES.mostInFlight} of a window. ${BAN_RULES.strikesToBan} strikes ` +
      `within ${BAN_RULES.strikeMemorySeconds} seconds ban the key for ` +
      `${BAN_RULES.firstBanSeconds / MINUTE_SECONDS} minutes. Each further ban lasts twice as long, ` +
      `up to ${BAN_RULES.longestBanSeconds / HOUR_SECONDS} hour. After a day without a ban, the next ` +
      'one is short again.',
    'A banned key gets 429 `api_key_banned`. Requests during a ban do not extend it.',
    'A client that honors `Retry-After` is never banned, even with ' +
      `${BAN_RULES.mostInFlight} requests in flight.`,
  ],
  errors:
    'Every error is an object with a `code` for programs, a `message` for people, and the HTTP ' +
    '`status`. The `Link` header has the URL of a page that explains the code, with `rel="help"`.',
  methods:
    'An unknown path returns 404 `route_not_found`; an unsupported method returns 405 ' +
    '`method_not_allowed` with an `Allow` header. `HEAD` works wherever `GET` does, and `OPTIONS` ' +
    'lists the methods of a path.',
  versions:
    `Every path starts with \`${API_PREFIX}\`. Requests that are described here keep working, and ` +
    'responses only gain fields and headers: ignore those that you do not know. A later version may ' +
    'refuse other requests, such as a body with hundreds of unknown fields. Removals are announced twelve ' +
    'months ahead in the `Deprecation` and `Sunset` headers.',
} as const;

const format = (limit: number | undefined) => limit?.toLocaleString('en-US') ?? 'custom';

/** A row for each plan: its title, and its limits per minute and per day. */
export const PLAN_LIMITS = Object.values(PLANS).map(({ title, limits }) => [
  title,
  format(limits?.perMinute),
  format(limits?.perDay),
]);

/** The introduction of the OpenAPI document, in Markdown. */
export const API_DESCRIPTION = `${API_TEXTS.keys} ${API_TEXTS.bodies} ${API_TEXTS.ids}

## Pages

${API_TEXTS.pages}

## Limits

| Plan | Requests per minute | Requests per day |
|---|---|---|
${PLAN_LIMITS.map((plan) => `| ${plan.join(' | ')} |`).join('\n')}

Every response carries the three \`X-RateLimit\` headers, and \`RateLimit\` with both windows. ${API_TEXTS.counting.join(' ')}

${API_TEXTS.refusals}

${API_TEXTS.bans.join(' ')}

## Errors

${API_TEXTS.errors} ${API_TEXTS.methods} \`x-errors\` lists every code and what to do about it.

## Versions

${API_TEXTS.versions} \`x-stability\` marks each operation as \`stable\`, \`beta\` or \`experimental\`.
`;
