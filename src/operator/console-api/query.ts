import { ConsoleError } from '../console-error.ts';

interface Range {
  readonly from: number;
  readonly to: number;
  readonly fallback: number;
}

/** A whole number from the query. Throws `ConsoleError` if it is not in the range. */
export function queryNumber(query: URLSearchParams, name: string, range: Range): number {
  const given = query.get(name) || String(range.fallback);
  const number = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= range.from && number <= range.to) return number;
  throw new ConsoleError(400, `${name} must be an integer from ${range.from} to ${range.to}.`);
}

/** One of some words from the query; the first of them is the default. */
export function queryWord<const Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const given = query.get(name) || words[0];
  const word = words.find((each) => each === given);
  if (word !== undefined) return word;
  throw new ConsoleError(400, `${name} must be one of ${words.join(', ')}.`);
}
