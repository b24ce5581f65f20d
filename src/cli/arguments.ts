import { InvalidArgumentError } from 'commander';

/** For options and arguments, which commander names in its error. */
export function parseWholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number.');
}
