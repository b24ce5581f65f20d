import type { QueryParameter } from '../contract/operations.ts';
import { AppError } from '../domain/error.ts';

type Values<P> = { [K in keyof P]: P[K] extends QueryParameter<infer T> ? T : never };

/** Reads an operation's parameters. Throws `invalid_parameter`; others are none of our business. */
export function readQuery<P extends Record<string, QueryParameter<unknown>>>(
  query: string,
  parameters: P,
): Values<P> {
  const given = new URLSearchParams(query);
  const values = Object.entries(parameters).map(([name, { parse, rule, absent }]) => {
    const [text, ...more] = given.getAll(name);
    if (text === undefined) return [name, absent];
    const value = more.length === 0 ? parse(text) : undefined;
    if (value !== undefined) return [name, value];
    const problem = more.length === 0 ? rule : `may be given only once; it ${rule}`;
    throw new AppError('invalid_parameter', `The query parameter ${name} ${problem}.`);
  });
  return Object.fromEntries(values);
}
