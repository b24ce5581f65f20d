import type { Section } from './check.ts';
import { isObject, type Json } from './exact-json.ts';
import type { Exchange } from './exchange.ts';
import { expectField } from './expectations.ts';
import { refusal, useUpFreeMinute } from './free-plan.ts';
import { retryAfterSeconds } from './headers.ts';
import type { Session } from './session.ts';
import { Failed, NotCheckable } from './verdict.ts';

export const ERRORS: Section = {
  title: 'Errors',
  checks: [
    {
      id: 'errors.code',
      sentence: 'Every error has a code for machines',
      check: async (session) => expectInErrors(session, 'code', 'a string', isText),
    },
    {
      id: 'errors.message',
      sentence: 'Every error has a message for people',
      check: async (session) => expectInErrors(session, 'message', 'a string', isText),
    },
    {
      id: 'errors.status',
      sentence: 'Every error repeats the status of the answer',
      check: async (session) =>
        expectInErrors(
          session,
          'status',
          'that of the answer',
          (value, { answer }) => value === BigInt(answer.status),
        ),
    },
    {
      id: 'errors.429.anyRequest',
      sentence: 'Beyond the limit any operation is answered 429',
      async check(session) {
        await refusal(session);
        const { others } = await useUpFreeMinute(session);
        const admitted = others.find(({ answer }) => answer.status !== 429);
        if (admitted === undefined) return;
        throw new Failed('status 429', `${admitted.answer.status}`, admitted);
      },
    },
    {
      id: 'errors.429.retryAfter',
      sentence: 'A 429 says in Retry-After when to try again',
      async check(session) {
        const refused = await refusal(session);
        if (retryAfterSeconds(refused.answer, refused.atMs) !== undefined) return;
        const came = refused.answer.headers.get('retry-after') ?? 'no such header';
        throw new Failed('Retry-After: seconds or a date', came, refused);
      },
    },
    {
      id: 'errors.429.body',
      sentence: 'A 429 has the body of an error (its shape is left open)',
      async check(session) {
        const { json } = (await refusal(session)).answer;
        const isError =
          isObject(json) &&
          isText(json['code']) &&
          isText(json['message']) &&
          json['status'] === 429n;
        if (!isError) {
          throw new NotCheckable('This one has another body, which the interface does not forbid.');
        }
      },
    },
  ],
};

/** Looks at all errors of the run so far; the body of a 429 is left open. */
function expectInErrors(
  { exchanges }: Session,
  field: string,
  expected: string,
  isRight: (value: Json | undefined, exchange: Exchange) => boolean,
): void {
  const errors = exchanges.filter(
    ({ answer: { status } }) => status >= 400 && status <= 499 && status !== 429,
  );
  if (errors.length === 0) throw new NotCheckable('Nothing was answered with an error.');
  for (const error of errors) {
    expectField(error, field, expected, (value) => isRight(value, error));
  }
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string' && value !== '';
}
