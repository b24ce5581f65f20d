import type { QueryParameter } from '../contract/operations.ts';
import { AppError } from '../domain/error.ts';

type Values<P> = { [K in keyof P]: P[K] extends QueryParameter<infer T> ? T : never };
type Pair = readonly [name: string, text: string];

/** What must be decoded. Most queries need none of it, and are read twice as fast by hand. */
const ENCODED = /[%+]|^\?/;

/** Reads an operation's parameters. Throws `invalid_parameter`; others are none of our business. */
export function readQuery<P extends Record<string, QueryParameter<unknown>>>(
  query: string,
  parameters: P,
): Values<P> {
  const given = ENCODED.test(query) ? [...new URLSearchParams(query)] : plainPairs(query);
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    values[name] = readParameter(name, parameter, given);
  }
  return values as Values<P>;
}

function plainPairs(query: string): Pair[] {
  return query.split('&').map((text) => {
    const end = text.indexOf('=');
    return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
  });
}

function readParameter(
  name: string,
  { parse, rule, absent }: QueryParameter<unknown>,
  given: readonly Pair[],
): unknown {
  const [first, second] = given.filter((pair) => pair[0] === name);
  if (first === undefined) return absent;
  const value = second === undefined ? parse(first[1]) : undefined;
  if (value !== undefined) return value;
  const problem = second === undefined ? rule : `may be given only once; it ${rule}`;
  throw new AppError('invalid_parameter', `The query parameter ${name} ${problem}.`);
}
