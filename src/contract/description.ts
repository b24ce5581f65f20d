import { BAN_RULES } from '../domain/ban.ts';
import { MINUTE_SECONDS } from '../domain/durations.ts';
import { PLANS } from '../domain/plan.ts';
import { API_PREFIX, MAX_BODY_BYTES, PAGE_SIZE } from './operations.ts';

/** What holds for the whole interface, in Markdown. */
export function describeInterface(): string {
  const bodyKibibytes = MAX_BODY_BYTES / 1024;
  const firstBanMinutes = BAN_RULES.firstBanSeconds / MINUTE_SECONDS;
  return `Every request needs an API key, sent as \`Authorization: Bearer <API key>\`. Bodies are JSON in
UTF-8, of at most ${bodyKibibytes} KiB. Identifiers are 64-bit integers, written digit for digit: a reader that
keeps numbers as doubles loses the last digits of those beyond 2^53.

## Pages

A list has ${PAGE_SIZE.default} animals a page unless \`limit\` says otherwise, up to ${PAGE_SIZE.maximum}. While more follow, the
\`Link\` header has the address of the next page, with \`rel="next"\`.

## Limits

| Plan | Requests a minute | Requests a day |
|---|---|---|
${planLimits()
  .map((plan) => `| ${plan.join(' | ')} |`)
  .join('\n')}

They are counted for each account, over all its keys; refused requests do not count. The three
\`X-RateLimit\` headers come with every answer. A refusal, 429, says in \`Retry-After\` how long to wait; if
refused again after that, back off exponentially. A key that keeps sending instead is banned for a
while, ${firstBanMinutes} minutes at first; one that waits, with up to ${BAN_RULES.mostInFlight} requests under way, never is.
Requests without a valid key count for the address they come from, as on the ${PLANS.free.title} plan.

## Errors

Every error is an object with a \`code\` for programs, a \`message\` for people, and the \`status\` of the
answer. Its \`Link\` header has the address of a page that explains the code, with \`rel="help"\`.
A path that does not exist is 404 \`route_not_found\`, one that takes other methods 405
\`method_not_allowed\`, with the methods in \`Allow\`. \`HEAD\` is answered wherever \`GET\` is, and
\`OPTIONS\` with the methods of a path. \`x-errors\` lists every code with what to do about it.

## Versions

Paths begin with \`${API_PREFIX}\`. Under it things are added and never changed: ignore members and headers that
you do not know. What is to go is announced twelve months ahead, in the \`Deprecation\` and \`Sunset\`
headers. \`x-stability\` says of each operation whether it is \`stable\`, \`beta\` or \`experimental\`.
`;
}

/** Each plan with its requests a minute and a day, in words. */
export function planLimits(): [title: string, perMinute: string, perDay: string][] {
  const inWords = (limit: number | undefined) => limit?.toLocaleString('en-US') ?? 'by agreement';
  return Object.values(PLANS).map(({ title, limits }) => [
    title,
    inWords(limits?.perMinute),
    inWords(limits?.perDay),
  ]);
}
