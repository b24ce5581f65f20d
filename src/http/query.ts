import { AppError, problem } from '#contract/errors.ts';
import type { QueryParameter } from '#contract/parameters.ts';

type Pair = readonly [name: string, text: string];
type Values<P> = { [K in keyof P]: P[K] extends QueryParameter<infer T> ? T : never };

/** Enough for our own parameters, and for those that other programs add to track users or avoid caches. */
const MAX_PARAMETERS = 50;

/** Finds a query that must be decoded. */
const ENCODED = /[%+]|^\?/;

/** Reads the parameters of an operation, and ignores all others. Throws `invalid_parameter`. */
export function readQuery<P extends Record<string, QueryParameter<unknown>>>(
  query: string,
  parameters: P,
): Values<P> {
  const pieces = query.split('&', MAX_PARAMETERS + 1);
  if (pieces.length > MAX_PARAMETERS) {
    throw new AppError(
      problem('invalid_parameter', 'query', `must have at most ${MAX_PARAMETERS} parameters`),
    );
  }
  const given = ENCODED.test(query) ? [...new URLSearchParams(query)] : pieces.map(toPair);
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    values[name] = readParameter(name, parameter, given);
  }
  return values as Values<P>;
}

/** Splitting by hand saves 6 % of the CPU time of a list of 20, compared with `URLSearchParams`. */
function toPair(text: string): Pair {
  const end = text.indexOf('=');
  return end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
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
  const brokenRule = second === undefined ? rule : `may be given only once; it ${rule}`;
  throw new AppError(problem('invalid_parameter', `query parameter ${name}`, brokenRule));
}

const URL_PARTS = /^(?:\w+:\/\/[^/]*)?([^?#]*)\??([^#]*)/;

/** Unlike `new URL`, this accepts an HTTP/1.0 request without a host. */
export function splitUrl(url: string): { path: string; query: string } {
  const [, path = '', query = ''] = URL_PARTS.exec(url) ?? [];
  return { path, query };
}
