import { check } from './check.ts';
import { CheckFailed, NotCheckable } from './check-error.ts';
import { isObject, type Json } from './exact-json.ts';
import { expectField, expectStatus } from './expectations.ts';
import { exhaustFreeMinute, firstRefusal } from './free-plan.ts';
import { retryAfterSeconds } from './headers.ts';
import type { RoundTrip } from './round-trip.ts';
import type { Session } from './session.ts';

export const ERRORS = [
  check('errors.code', 'Every error has a code', async (session) =>
    expectInErrors(session, 'code', 'a string', isText),
  ),
  check('errors.message', 'Every error has a message', async (session) =>
    expectInErrors(session, 'message', 'a string', isText),
  ),
  check('errors.status', 'Every error repeats the HTTP status', async (session) =>
    expectInErrors(
      session,
      'status',
      'the HTTP status',
      (value, { response }) => value === BigInt(response.status),
    ),
  ),
  check('errors.429.anyRequest', 'Over the limit, every operation returns 429', async (session) => {
    await firstRefusal(session);
    const { others } = await exhaustFreeMinute(session);
    for (const other of others) expectStatus(other, 429);
  }),
  check('errors.429.retryAfter', 'A 429 has Retry-After', async (session) => {
    const refused = await firstRefusal(session);
    if (retryAfterSeconds(refused.response, refused.receivedAtMs) !== undefined) return;
    const value = refused.response.headers.get('retry-after') ?? 'no such header';
    throw new CheckFailed('Retry-After: seconds or a date', value, refused);
  }),
  check('errors.429.body', 'A 429 has an Error body (not required)', async (session) => {
    const { json } = (await firstRefusal(session)).response;
    const isError =
      isObject(json) && isText(json['code']) && isText(json['message']) && json['status'] === 429n;
    if (!isError) throw new NotCheckable('It has another body, which the contract allows.');
  }),
];

/** Checks all errors so far, except 429s: the contract leaves their body open. */
function expectInErrors(
  { roundTrips }: Session,
  field: string,
  expected: string,
  isValid: (value: Json | undefined, roundTrip: RoundTrip) => boolean,
): void {
  const errors = roundTrips.filter(
    ({ response: { status } }) => status >= 400 && status <= 499 && status !== 429,
  );
  if (errors.length === 0) throw new NotCheckable('No response is an error.');
  for (const error of errors) {
    expectField(error, field, expected, (value) => isValid(value, error));
  }
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '';
}
